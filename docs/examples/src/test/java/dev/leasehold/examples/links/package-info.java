/** Checks that the links of the pages lead somewhere. */
@NullMarked
package dev.leasehold.examples.links;

import org.jspecify.annotations.NullMarked;
