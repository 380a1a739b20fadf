package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.world.Simulation;
import java.util.List;

/** Ends transactions that were open for too long. It looks at fixed instants, so it comes late. */
final class Sweeper {

    private static final long NEVER = Long.MIN_VALUE;

    private final Simulation simulation;
    private final Primary primary;
    private final long lifetimeNanos;
    private final long sweepNanos;
    private long nextNanos = NEVER;

    Sweeper(Simulation simulation, Primary primary, long lifetimeNanos, long sweepNanos) {
        this.simulation = simulation;
        this.primary = primary;
        this.lifetimeNanos = lifetimeNanos;
        this.sweepNanos = Math.max(1, sweepNanos);
    }

    /** A transaction was opened then. Sweeps at which nothing could be too old are left out. */
    void expect(long openedNanos) {
        if (nextNanos == NEVER) {
            long tooOldNanos = openedNanos + lifetimeNanos;
            nextNanos = tooOldNanos + Math.floorMod(-tooOldNanos, sweepNanos);
            simulation.at(nextNanos, this::sweep);
        }
    }

    private void sweep() {
        long nowNanos = nextNanos;
        nextNanos = NEVER;
        for (ServerTransaction transaction : List.copyOf(primary.open())) {
            if (nowNanos - transaction.openedNanos() >= lifetimeNanos) {
                simulation.record(new Event.Fault(nowNanos, -1, Faults.LIFETIME, nowNanos));
                primary.end(transaction);
            }
        }
        if (nextNanos == NEVER && !primary.open().isEmpty()) {
            expect(primary.open().get(0).openedNanos());
        }
    }
}
