/**
 * The merge-queue lease service: a priority mutex over HTTP, in replicas. The rules are in {@code queue}, the documents in {@code store},
 * what a replica does in {@code replica}, and what is seen from outside in {@code http} and {@code view}.
 */
@NullMarked
package dev.leasehold.mergequeue;

import org.jspecify.annotations.NullMarked;
