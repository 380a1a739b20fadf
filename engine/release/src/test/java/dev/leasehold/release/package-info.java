/** What Maven Central gets, seen as Maven Central and a user see it. */
@NullMarked
package dev.leasehold.release;

import org.jspecify.annotations.NullMarked;
