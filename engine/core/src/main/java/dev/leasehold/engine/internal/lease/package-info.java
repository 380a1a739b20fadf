/**
 * What callers hold: handles that keep a lease, tell when it is lost, and give it up; and the waiting for leases that
 * others hold. Knows operations, and neither documents nor transactions. All of its state belongs to one thread that does no
 * input or output.
 */
@NullMarked
package dev.leasehold.engine.internal.lease;

import org.jspecify.annotations.NullMarked;
