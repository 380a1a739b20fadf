/**
 * The calls that are not for handles: tenures, administration, housekeeping, records of occurrences, and the inspector. They validate their arguments,
 * submit operations, and wait for the answers.
 */
@NullMarked
package dev.leasehold.engine.internal.operations;

import org.jspecify.annotations.NullMarked;
