/** How the examples that run from the command line tell what happens. */
@NullMarked
package dev.leasehold.examples.story;

import org.jspecify.annotations.NullMarked;
