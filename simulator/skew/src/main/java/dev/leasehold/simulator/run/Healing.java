package dev.leasehold.simulator.run;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.world.SimulatedMachine;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How every history ends: nothing goes wrong any more, and an observer that was there from the beginning, on the last machine, tries
 * to get every lease. Those whose holders are alive and renew them it does not get. In most histories it is enough to see that they
 * do; in the others the observer waits for as long as anything that was promised may last, and they renew again and again.
 */
final class Healing {

    /** An engine looks at a lease that it waits for that often, even if nobody tells it anything; and it takes its time twice. */
    private static final long LOOKS_NANOS = 12_000_000_000L;

    private static final long TRY_AGAIN_NANOS = 100_000_000;

    private static final long SETTLES_NANOS = 1_000_000_000;

    private static final int PATIENT_ONE_IN = 4;

    private final Stage stage;
    private final Requests requests;
    private final boolean patient;
    /** The leases that the observer has neither got nor given up, and who keeps each of them. */
    private final Map<Integer, Keepers> undecided = new TreeMap<>();

    Healing(Stage stage) {
        this.stage = stage;
        this.requests = new Requests(stage);
        this.patient = Math.floorMod(stage.plan().seed(), PATIENT_ONE_IN) == 0;
    }

    void begin() {
        stage.healed();
        stage.simulatedNetwork().heal();
        stage.database().heal();
        for (SimulatedMachine simulatedMachine : stage.simulation().hosts()) {
            simulatedMachine.heal();
        }
        stage.simulation().record(new Event.Healed(stage.simulation().nowNanos()));
        for (int lease = 0; lease < stage.setting().leases(); lease++) {
            undecided.put(lease, new Keepers(stage.services(), Tenures.lease(lease)));
        }
        // What was repaired is seen when a majority has it.
        stage.simulation().after(2 * replicationNanos() + 1_000_000, this::observe);
    }

    private long replicationNanos() {
        DatabaseConditions database = stage.setting().database();
        return database.replicationNanos() + database.replicationJitterNanos();
    }

    private void observe() {
        Service observer =
                Objects.requireNonNull(stage.service(stage.plan().machines().size() - 1));
        long waitNanos = waitNanos();
        for (int lease = 0; lease < stage.setting().leases(); lease++) {
            int number = lease;
            observer.act("observer", engine -> {
                unpin(observer, engine, number);
                tryFor(observer, engine, number, waitNanos);
            });
        }
        if (!patient) {
            stage.simulation().after(SETTLES_NANOS, this::settle);
        }
        stage.simulation().after(waitNanos + 2 * stage.setting().operationNanos() + LOOKS_NANOS, this::finish);
    }

    /** What is pinned nobody gets, as long as it stays so. */
    private void unpin(Service observer, LeaseEngine engine, int lease) {
        for (Command command : stage.plan().commands()) {
            if (command.action() instanceof Action.Pin pin && pin.lease() == lease) {
                requests.ask(observer, engine, new Action.Unpin(lease, pin.entity()));
            }
        }
    }

    /** As a service would: what could not be found out, or was not possible just then, is tried again while there is time. */
    private void tryFor(Service observer, LeaseEngine engine, int lease, long waitNanos) {
        long untilNanos = observer.runtime().localNowNanos() + waitNanos;
        long leftNanos = waitNanos;
        while (leftNanos > 0 && !isDecided(ask(observer, engine, Tenures.lease(lease), leftNanos))) {
            observer.pause(TRY_AGAIN_NANOS);
            leftNanos = untilNanos - observer.runtime().localNowNanos();
        }
        undecided.remove(lease);
        if (undecided.isEmpty()) {
            finishSoon();
        }
    }

    private void settle() {
        if (undecided.values().stream().allMatch(Keepers::haveRenewed)) {
            finishSoon();
        } else {
            stage.simulation().after(SETTLES_NANOS, this::settle);
        }
    }

    /** What was asked meanwhile is let end, as far as it does so soon. */
    private void finishSoon() {
        boolean onlyTheObserverWaits = stage.calls().open() <= undecided.size();
        stage.simulation()
                .after(
                        onlyTheObserverWaits && !patient
                                ? SETTLES_NANOS
                                : 2 * stage.setting().operationNanos(),
                        this::finish);
    }

    private Answer ask(Service observer, LeaseEngine engine, String lease, long waitNanos) {
        Operation operation = new Operation(
                Operation.Kind.ACQUIRE,
                lease,
                null,
                null,
                stage.plan()
                        .sessionNanos(
                                observer.simulatedProcess().simulatedMachine().number()),
                true,
                waitNanos);
        return observer.call(operation, call -> {
            Acquisition acquisition = engine.tryAcquire(LeaseRequest.of(lease), Duration.ofNanos(waitNanos));
            acquisition.asOptional().ifPresent(held -> observer.acquired(held, call));
            return Answers.of(acquisition, observer::trueTimeOf);
        });
    }

    private static boolean isDecided(Answer answer) {
        return answer.kind() == Answer.Kind.YES || !answer.shown().isEmpty();
    }

    /** Longer than anything that was promised in this history may last on the slowest clock. */
    private long waitNanos() {
        long longestNanos = stage.plan().longestSessionNanos();
        for (Command command : stage.plan().commands()) {
            longestNanos = Math.max(longestNanos, durationNanos(command.action()));
        }
        long stretchedNanos =
                longestNanos + longestNanos / 500_000 * (stage.setting().driftPpm() + 1) + 1_000_000;
        return stretchedNanos + 2 * stage.setting().operationNanos() + LOOKS_NANOS;
    }

    private static long durationNanos(Action action) {
        if (action instanceof Action.Claim claim) {
            return claim.durationNanos();
        }
        if (action instanceof Action.TakeOver takeOver) {
            return takeOver.durationNanos();
        }
        if (action instanceof Action.Extend extend) {
            return extend.durationNanos();
        }
        if (action instanceof Action.Aim aim) {
            return aim.durationNanos();
        }
        return action instanceof Action.Acquire acquire
                ? Math.max(orNone(acquire.termNanos()), orNone(acquire.atLeastNanos()))
                : 0;
    }

    private static long orNone(@Nullable Long nanos) {
        return nanos == null ? 0 : nanos;
    }

    private void finish() {
        if (!stage.simulation().isOver()) {
            stage.simulation().record(new Event.Finished(stage.simulation().nowNanos()));
            stage.simulation().end();
        }
    }
}
