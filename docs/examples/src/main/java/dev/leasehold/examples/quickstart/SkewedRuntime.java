package dev.leasehold.examples.quickstart;

import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.runtime.SystemRuntime;
import dev.leasehold.engine.internal.time.EngineClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * This machine as a process sees it whose wall clock is set wrong, and that may be frozen. Only a demonstration needs this; it
 * uses internals of the engine, which may change at any time.
 */
final class SkewedRuntime implements EngineRuntime {

    private final EngineRuntime machine = new SystemRuntime();
    private final Freeze freeze;
    private final EngineClock clock;

    SkewedRuntime(Duration skew, Freeze freeze) {
        this.freeze = freeze;
        this.clock = new SkewedClock(machine.clock(), skew.toNanos());
    }

    @Override
    public EngineClock clock() {
        return clock;
    }

    @Override
    public String uniqueText() {
        return machine.uniqueText();
    }

    @Override
    public long randomNanos(long boundNanos) {
        return machine.randomNanos(boundNanos);
    }

    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
        return machine.await(future, timeoutNanos);
    }

    @Override
    public EngineThread startThread(String name) {
        return new FreezableThread(machine.startThread(name), freeze);
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        return machine.startCallbacks(name);
    }

    private record SkewedClock(EngineClock right, long skewNanos) implements EngineClock {
        @Override
        public long monotonicNanos() {
            return right.monotonicNanos();
        }

        @Override
        public long wallNanos() {
            return right.wallNanos() + skewNanos;
        }
    }
}
