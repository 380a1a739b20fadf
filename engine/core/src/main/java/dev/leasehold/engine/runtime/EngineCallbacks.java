package dev.leasehold.engine.runtime;

import java.util.concurrent.Executor;

/** A few background threads for code of callers, which may block or throw. */
public interface EngineCallbacks extends Executor {

    /** Runs the task some time after those handed in before have begun. Ignored once this is stopping. */
    @Override
    void execute(Runnable task);

    /** Lets the tasks already handed in end, and takes no more. Does not wait. */
    void stop();
}
