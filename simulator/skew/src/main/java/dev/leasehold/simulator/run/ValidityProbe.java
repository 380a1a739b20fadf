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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records when an engine holds the tenures that were granted on its machine. It asks the engine after each of its steps, and at the very
 * instant at which a validity is to end.
 */
final class ValidityProbe {

    private static final long SECOND = 1_000_000_000;
    /** A wall clock that shows milliseconds stands still for as long, and so does the time that is left by it. */
    private static final long STANDING_NANOS = 1_000;

    private final Simulation simulation;
    private final SimulatedProcess process;
    private final SimulatedMachine machine;
    private final LeaseEngine engine;
    private final List<Watched> all = new ArrayList<>();

    ValidityProbe(SimulatedProcess process, LeaseEngine engine) {
        this.simulation = process.simulation();
        this.process = process;
        this.machine = process.simulatedMachine();
        this.engine = engine;
        process.afterSteps(this::ask);
    }

    /** From now on the engine is asked about this tenure, and this handle of it. */
    void watch(Tenure tenure, @Nullable Lease handle) {
        Watched watched = watched(tenure);
        if (watched == null) {
            watched = new Watched(tenure);
            all.add(watched);
        }
        if (handle != null) {
            watched.handles.add(handle);
        }
        watched.ask();
    }

    void closed(Lease handle) {
        Watched watched = watched(handle.tenure());
        if (watched != null) {
            watched.over.add(handle);
        }
    }

    private @Nullable Watched watched(Tenure tenure) {
        for (Watched watched : all) {
            if (watched.tenure.equals(tenure)) {
                return watched;
            }
        }
        return null;
    }

    /** Without the exception that a term of centuries would make. */
    static long nanos(Duration duration) {
        return duration.getSeconds() >= Long.MAX_VALUE / SECOND - 1
                ? Long.MAX_VALUE
                : duration.getSeconds() * SECOND + duration.getNano();
    }

    private void ask() {
        // By index, since the answer may come with a grant that is watched too.
        for (int i = 0; i < all.size(); i++) {
            all.get(i).ask();
        }
    }

    /** One tenure that was granted here. */
    private final class Watched {
        private final Tenure tenure;
        private final HeldTenure held;
        private final List<Lease> handles = new ArrayList<>();
        private final Set<Lease> over = new HashSet<>();
        private boolean valid;
        private int wakesSeen;
        private long untilNanos;
        private long leftSeenNanos;
        private boolean standing;
        private boolean disagreed;

        Watched(Tenure tenure) {
            this.tenure = tenure;
            this.held = GrantedTenures.held(tenure);
        }

        void ask() {
            long leftNanos = leftNanos();
            if (leftNanos > 0 && valid && stands(leftNanos) && wakesSeen == machine.wakes()) {
                return;
            }
            standing = false;
            if (leftNanos > 0) {
                long nextNanos = endNanos(leftNanos);
                // A later end is asked for when the earlier one is reached. After a sleep it is said anew.
                if (!valid || nextNanos < untilNanos || wakesSeen != machine.wakes()) {
                    recordValid(nextNanos, leftNanos);
                }
            } else if (valid) {
                valid = false;
                record(new Event.ValidityEnded(simulation.nowNanos(), machine.number(), process.incarnation(), held));
            }
        }

        private void record(Event event) {
            simulation.record(event);
        }

        /** By the tenure or by any handle of it, whichever says more. */
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
                over.add(handle);
            } else if (over.remove(handle)) {
                record(new Event.Revived(simulation.nowNanos(), machine.number(), process.incarnation(), held));
            }
            return leftNanos;
        }

        private void compare(long leftNanos, boolean isHeld) {
            if (isHeld != leftNanos > 0 && !disagreed) {
                disagreed = true;
                record(new Event.Disagreed(
                        simulation.nowNanos(), machine.number(), process.incarnation(), held, isHeld));
            }
        }

        /** Which of its clocks ends the validity is not known: at the earlier of both ends it is asked again. */
        private long endNanos(long leftNanos) {
            if (stands(leftNanos) && leftNanos < STANDING_NANOS) {
                return simulation.nowNanos() + STANDING_NANOS;
            }
            long byWallNanos = leftNanos < machine.clock().wallPrecisionNanos()
                    ? machine.clock().nextWallTickNanos(simulation.nowNanos())
                    : simulation.nowNanos() + leftNanos;
            long byMonotonicNanos = machine.clock().afterElapsedNanos(simulation.nowNanos(), leftNanos);
            return byWallNanos < 0 ? byMonotonicNanos : Math.min(byWallNanos, byMonotonicNanos);
        }

        private void recordValid(long nextNanos, long leftNanos) {
            valid = true;
            leftSeenNanos = leftNanos;
            wakesSeen = machine.wakes();
            untilNanos = nextNanos;
            record(new Event.ValidUntil(
                    simulation.nowNanos(), machine.number(), process.incarnation(), held, nextNanos));
            process.at(nextNanos, () -> askAtEnd(nextNanos));
        }

        private void askAtEnd(long expectedNanos) {
            if (valid && untilNanos == expectedNanos) {
                long leftNanos = leftNanos();
                if (leftNanos > 0) {
                    standing = leftNanos == leftSeenNanos && machine.clock().wallPrecisionNanos() > STANDING_NANOS;
                    recordValid(endNanos(leftNanos), leftNanos);
                }
            }
        }

        private boolean stands(long leftNanos) {
            return standing && leftNanos == leftSeenNanos;
        }
    }
}
