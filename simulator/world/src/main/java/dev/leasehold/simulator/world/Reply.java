package dev.leasehold.simulator.world;

import org.jspecify.annotations.Nullable;

/**
 * What became of an exchange: an answer, or trouble.
 *
 * @param answer null when there was trouble
 * @param networkFault null when there is an answer
 */
public record Reply<T>(@Nullable T answer, @Nullable NetworkFault networkFault) {}
