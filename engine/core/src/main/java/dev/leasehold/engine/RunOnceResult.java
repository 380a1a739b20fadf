package dev.leasehold.engine;

import dev.leasehold.assertions.OccurrenceRecord;
import org.jspecify.annotations.Nullable;

/**
 * What became of a task that was to run once per occurrence.
 *
 * @param <T> what the task returns
 */
public sealed interface RunOnceResult<T extends @Nullable Object> {

    /** {@return whether the task ran and its transaction committed} */
    boolean ran();

    /**
     * The task ran, and its effects were committed together with the record of the occurrence.
     *
     * @param value what the run that committed has returned
     * @param <T> what the task returns
     */
    record Ran<T extends @Nullable Object>(T value) implements RunOnceResult<T> {
        @Override
        public boolean ran() {
            return true;
        }
    }

    /**
     * The occurrence was done before, and the task had no effect.
     *
     * @param record which holder did it, when, and under which token
     * @param <T> what the task returns
     */
    record DoneBefore<T extends @Nullable Object>(OccurrenceRecord record) implements RunOnceResult<T> {
        @Override
        public boolean ran() {
            return false;
        }
    }

    /**
     * The lease was not acquired, and the task did not run. Another process may be doing the occurrence, or another one of this lease.
     *
     * @param refusal why not
     * @param <T> what the task returns
     */
    record Skipped<T extends @Nullable Object>(Refusal refusal) implements RunOnceResult<T> {
        @Override
        public boolean ran() {
            return false;
        }
    }
}
