/**
 * A story to run: a lease is handed over, and a service that was frozen for too long finds that its late transaction is
 * refused.
 *
 * <p>{@code OrderService} is what a user of the library would write. {@code SkewedEngine}, {@code SkewedRuntime} and {@code
 * FreezableThread} are there only because both services share one process, whose clock would agree with itself, and which
 * would freeze as a whole.
 */
@NullMarked
package dev.leasehold.examples.quickstart;

import org.jspecify.annotations.NullMarked;
