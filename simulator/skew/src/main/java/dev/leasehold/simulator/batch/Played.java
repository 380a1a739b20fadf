package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.check.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What came of one history.
 *
 * @param verdict what the judges say; null when there was nothing to be judged
 * @param failure what is wrong with it; null when nothing is
 * @param hash of the history, if it was played twice; else 0
 */
record Played(@Nullable Verdict verdict, @Nullable Failure failure, long hash) {}
