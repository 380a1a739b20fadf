package dev.leasehold.engine.internal.metrics;

import java.util.function.IntSupplier;

/** Measures nothing. */
final class NoMetrics implements EngineMetrics {

    @Override
    public boolean measures() {
        return false;
    }

    @Override
    public void record(EngineEvent event) {}

    @Override
    public void registerGauges(IntSupplier held, IntSupplier waiting) {}

    @Override
    public void close() {}
}
