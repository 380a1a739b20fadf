/** Compares what the pages quote with the sources that are compiled and run. */
@NullMarked
package dev.leasehold.examples.quotes;

import org.jspecify.annotations.NullMarked;
