/** What competes: one class for each library or bare command, all behind {@link dev.leasehold.bench.adapters.Locks}. */
@NullMarked
package dev.leasehold.bench.adapters;

import org.jspecify.annotations.NullMarked;
