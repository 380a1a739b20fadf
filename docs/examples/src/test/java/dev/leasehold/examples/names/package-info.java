/** Compares the names on the pages with those in the code. */
@NullMarked
package dev.leasehold.examples.names;

import org.jspecify.annotations.NullMarked;
