/**
 * What a caller puts into its own MongoDB transaction, so that the transaction commits only if a lease is still held.
 */
@NullMarked
package dev.leasehold.assertions;

import org.jspecify.annotations.NullMarked;
