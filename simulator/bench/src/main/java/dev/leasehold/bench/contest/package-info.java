/** What competes: one class for each library or bare command, all behind {@link dev.leasehold.bench.contest.Locks}. */
@NullMarked
package dev.leasehold.bench.contest;

import org.jspecify.annotations.NullMarked;
