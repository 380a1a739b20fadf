package dev.leasehold.simulator.mutants;

import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.time.EngineClock;
import java.util.concurrent.CompletableFuture;

/** A machine on which something is not as it should be. */
abstract class ChangedRuntime implements EngineRuntime {

    private final EngineRuntime runtime;

    ChangedRuntime(EngineRuntime runtime) {
        this.runtime = runtime;
    }

    /** Local time is the time of day. */
    static EngineRuntime withWallClockAlone(EngineRuntime runtime) {
        EngineClock clock = runtime.clock();
        return withClock(runtime, new EngineClock() {
            @Override
            public long monotonicNanos() {
                return clock.wallNanos();
            }

            @Override
            public long wallNanos() {
                return clock.wallNanos();
            }
        });
    }

    /** The time of day is read once, and then follows local time. */
    static EngineRuntime withMonotonicClockAlone(EngineRuntime runtime) {
        EngineClock clock = runtime.clock();
        long startWallNanos = clock.wallNanos();
        long startMonotonicNanos = clock.monotonicNanos();
        return withClock(runtime, new EngineClock() {
            @Override
            public long monotonicNanos() {
                return clock.monotonicNanos();
            }

            @Override
            public long wallNanos() {
                return startWallNanos + (clock.monotonicNanos() - startMonotonicNanos);
            }
        });
    }

    private static EngineRuntime withClock(EngineRuntime runtime, EngineClock clock) {
        return new ChangedRuntime(runtime) {
            @Override
            public EngineClock clock() {
                return clock;
            }
        };
    }

    /** Nobody waits between two attempts. */
    static EngineRuntime withoutPauses(EngineRuntime runtime) {
        return new ChangedRuntime(runtime) {
            @Override
            public long randomNanos(long boundNanos) {
                return 0;
            }
        };
    }

    /** Whatever is to be told is not told. */
    static EngineRuntime withoutCallbacks(EngineRuntime runtime) {
        return new ChangedRuntime(runtime) {
            @Override
            public EngineCallbacks startCallbacks(String name) {
                EngineCallbacks callbacks = super.startCallbacks(name);
                return new EngineCallbacks() {
                    @Override
                    public void execute(Runnable task) {
                        // The mistake: nobody hears of it.
                    }

                    @Override
                    public void stop() {
                        callbacks.stop();
                    }
                };
            }
        };
    }

    /** What should be unique is the same in every engine of a machine. */
    static EngineRuntime withOneText(EngineRuntime runtime) {
        return new ChangedRuntime(runtime) {
            @Override
            public String uniqueText() {
                return super.uniqueText().replaceFirst("i\\d+n\\d+", "i0n0");
            }
        };
    }

    @Override
    public EngineClock clock() {
        return runtime.clock();
    }

    @Override
    public String uniqueText() {
        return runtime.uniqueText();
    }

    @Override
    public long randomNanos(long boundNanos) {
        return runtime.randomNanos(boundNanos);
    }

    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
        return runtime.await(future, timeoutNanos);
    }

    @Override
    public EngineThread startThread(String name) {
        return runtime.startThread(name);
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        return runtime.startCallbacks(name);
    }
}
