/**
 * Runs a command for as long as a lease is held, and ends it before another process can hold the lease.
 *
 * <p>{@link dev.leasehold.operator.run.CommandProcess} is the command with all processes that it starts, {@link
 * dev.leasehold.operator.run.Supervision} decides what it is sent, and {@link dev.leasehold.operator.run.Watchdog} ends it if this process
 * cannot.
 */
@NullMarked
package dev.leasehold.operator.run;

import org.jspecify.annotations.NullMarked;
