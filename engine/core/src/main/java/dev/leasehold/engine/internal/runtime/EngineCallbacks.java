package dev.leasehold.engine.internal.runtime;

import java.util.concurrent.Executor;

/** A few background threads for callers' code, which may block or throw. Tasks run in the order of submission, as threads become free. */
public interface EngineCallbacks extends Executor {

    /** Lets idle threads end from now on; tasks are still accepted. Does not wait. */
    void stop();
}
