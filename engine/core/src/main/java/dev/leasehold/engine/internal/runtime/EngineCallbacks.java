package dev.leasehold.engine.internal.runtime;

import java.util.concurrent.Executor;

/** A few background threads for code of callers, which may block or throw. */
public interface EngineCallbacks extends Executor {

    /** Runs the task some time after those handed in before have begun. */
    @Override
    void execute(Runnable task);

    /** From now on keeps no thread for tasks to come, which are still taken. Does not wait. */
    void stop();
}
