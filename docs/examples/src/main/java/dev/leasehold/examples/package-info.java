/**
 * The examples of the documentation, each as a method that a test runs.
 *
 * <p>The pages quote the regions between {@code example:start} and {@code example:end}, and a test compares the quotes with
 * the sources. The quickstart is in the package {@code quickstart}.
 */
@NullMarked
package dev.leasehold.examples;

import org.jspecify.annotations.NullMarked;
