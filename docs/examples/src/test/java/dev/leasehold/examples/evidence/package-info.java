/** Compares what pages say about the tests with the tests that are there. */
@NullMarked
package dev.leasehold.examples.evidence;

import org.jspecify.annotations.NullMarked;
