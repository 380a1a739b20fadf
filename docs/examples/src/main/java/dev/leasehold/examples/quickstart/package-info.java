/**
 * A story to run: a service is frozen past its term, and its late transaction is refused.
 *
 * <p>{@code OrderService} is what a user of the library would write. {@code SkewedEngine} and {@code SkewedRuntime} are
 * there only because both services share one machine, whose clock would agree with itself.
 */
@NullMarked
package dev.leasehold.examples.quickstart;

import org.jspecify.annotations.NullMarked;
