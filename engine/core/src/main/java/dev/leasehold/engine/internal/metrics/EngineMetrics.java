package dev.leasehold.engine.internal.metrics;

import java.util.function.IntSupplier;

/**
 * Where an engine reports its events. Callers' threads report operations, the engine's threads everything else; events about the
 * clock document of one partition come from one thread at a time. No method blocks, and an engine is only given metrics that
 * never throw.
 */
public interface EngineMetrics {

    /** For an engine that is not measured. */
    EngineMetrics NONE = new EngineMetrics() {
        @Override
        public boolean measures() {
            return false;
        }
    };

    /** Whether events are measured, so that work for the metrics alone is worth doing. */
    default boolean measures() {
        return true;
    }

    default void record(EngineEvent event) {}

    /** Registers the gauges of what the engine holds at any moment. Called once, when the engine starts. */
    default void registerGauges(IntSupplier held, IntSupplier waiting, IntSupplier tickets) {}

    /** The engine is closed: removes the gauges and keeps the counts. */
    default void close() {}
}
