package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an engine believes about the tenures that were granted on its machine, asked after each of its steps and at the very instant at
 * which a belief is to end.
 */
final class Beliefs {

    private static final long SECOND = 1_000_000_000;
    /** A wall clock that shows milliseconds stands still for as long, and what is left by it does too. */
    private static final long STANDING_NANOS = 1_000;

    private final Simulation simulation;
    private final SimulatedProcess simulatedProcess;
    private final SimulatedMachine simulatedMachine;
    private final LeaseEngine engine;
    private final List<Watched> all = new ArrayList<>();

    Beliefs(SimulatedProcess simulatedProcess, LeaseEngine engine) {
        this.simulation = simulatedProcess.simulation();
        this.simulatedProcess = simulatedProcess;
        this.simulatedMachine = simulatedProcess.simulatedMachine();
        this.engine = engine;
        simulatedProcess.afterSteps(this::look);
    }

    /** From now on it is asked about this tenure, and about this handle of it. */
    void watch(Tenure tenure, @Nullable Lease handle) {
        Watched watched = null;
        for (Watched known : all) {
            if (known.tenure.equals(tenure)) {
                watched = known;
            }
        }
        if (watched == null) {
            watched = new Watched(tenure);
            all.add(watched);
        }
        if (handle != null) {
            watched.handles.add(handle);
        }
        watched.look();
    }

    /** A handle of it was closed. */
    void closed(Lease handle) {
        for (Watched watched : all) {
            if (watched.handles.contains(handle)) {
                watched.isOver(handle);
            }
        }
    }

    /** Without the exception that a term of centuries would make. */
    static long nanos(Duration duration) {
        return duration.getSeconds() >= Long.MAX_VALUE / SECOND - 1
                ? Long.MAX_VALUE
                : duration.getSeconds() * SECOND + duration.getNano();
    }

    private void look() {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).look();
        }
    }

    /** One tenure that was granted here. */
    private final class Watched {
        private final Tenure tenure;
        private final HeldTenure held;
        private final List<Lease> handles = new ArrayList<>();
        private final List<Lease> over = new ArrayList<>();
        private boolean believed;
        private int wakesSeen;
        private long untilNanos;
        private long leftSeenNanos;
        private boolean standing;
        private boolean disagreed;

        Watched(Tenure tenure) {
            this.tenure = tenure;
            this.held = Tenures.held(tenure);
        }

        void look() {
            long leftNanos = leftNanos();
            if (leftNanos > 0 && believed && stands(leftNanos) && wakesSeen == simulatedMachine.wakes()) {
                return;
            }
            standing = false;
            if (leftNanos > 0) {
                long nextNanos = endNanos(leftNanos);
                // A later end is looked at when the earlier one is reached. Who was asleep says it anew.
                if (!believed || nextNanos < untilNanos || wakesSeen != simulatedMachine.wakes()) {
                    believe(nextNanos, leftNanos);
                }
            } else if (believed) {
                believed = false;
                simulation.record(new Event.Doubted(
                        simulation.nowNanos(), simulatedMachine.number(), simulatedProcess.incarnation(), held));
            }
        }

        private long leftNanos() {
            long leftNanos = nanos(engine.tenures().remaining(tenure));
            compare(leftNanos, engine.tenures().isHeld(tenure));
            for (int i = 0; i < handles.size(); i++) {
                leftNanos = Math.max(leftNanos, leftNanos(handles.get(i)));
            }
            return leftNanos;
        }

        /** What is over for a handle is over for good, also where the tenure goes on. */
        private long leftNanos(Lease handle) {
            long leftNanos = nanos(handle.remaining());
            compare(leftNanos, handle.isHeld());
            if (leftNanos == 0) {
                isOver(handle);
            } else if (over.remove(handle)) {
                simulation.record(new Event.Revived(
                        simulation.nowNanos(), simulatedMachine.number(), simulatedProcess.incarnation(), held));
            }
            return leftNanos;
        }

        private void compare(long leftNanos, boolean isHeld) {
            if (isHeld != leftNanos > 0 && !disagreed) {
                disagreed = true;
                simulation.record(new Event.Disagreed(
                        simulation.nowNanos(),
                        simulatedMachine.number(),
                        simulatedProcess.incarnation(),
                        held,
                        isHeld));
            }
        }

        private void isOver(Lease handle) {
            if (!over.contains(handle)) {
                over.add(handle);
            }
        }

        /** Which of its clocks ends the belief is not known: at the earlier of both ends it is asked again. */
        private long endNanos(long leftNanos) {
            if (stands(leftNanos) && leftNanos < STANDING_NANOS) {
                return simulation.nowNanos() + STANDING_NANOS;
            }
            long byWallNanos = leftNanos < simulatedMachine.clock().wallPrecisionNanos()
                    ? simulatedMachine.clock().nextWallTickNanos(simulation.nowNanos())
                    : simulation.nowNanos() + leftNanos;
            long byMonotonicNanos = simulatedMachine.clock().afterElapsedNanos(simulation.nowNanos(), leftNanos);
            return byWallNanos < 0 ? byMonotonicNanos : Math.min(byWallNanos, byMonotonicNanos);
        }

        private void believe(long nextNanos, long leftNanos) {
            believed = true;
            leftSeenNanos = leftNanos;
            wakesSeen = simulatedMachine.wakes();
            untilNanos = nextNanos;
            simulation.record(new Event.Believed(
                    simulation.nowNanos(), simulatedMachine.number(), simulatedProcess.incarnation(), held, nextNanos));
            simulatedProcess.at(nextNanos, () -> again(nextNanos));
        }

        private void again(long expectedNanos) {
            if (believed && untilNanos == expectedNanos) {
                long leftNanos = leftNanos();
                if (leftNanos > 0) {
                    standing = leftNanos == leftSeenNanos
                            && simulatedMachine.clock().wallPrecisionNanos() > STANDING_NANOS;
                    believe(endNanos(leftNanos), leftNanos);
                }
            }
        }

        private boolean stands(long leftNanos) {
            return standing && leftNanos == leftSeenNanos;
        }
    }
}
