package dev.leasehold.simulator.run;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * How every history ends: there are no faults any more, and an observer that was there from the beginning, on the last machine, tries to
 * get every lease. Those whose holders are alive and renew them it does not get. In most histories it is enough to see that they do; in
 * the others the observer waits for as long as anything that was granted may last, and they renew again and again.
 */
final class QuiescencePhase {

    /** An engine polls a lease that it waits for that often, even without any notice; and it takes its time twice. */
    private static final long POLLS_NANOS = 12_000_000_000L;

    private static final long TRY_AGAIN_NANOS = 100_000_000;
    private static final long SETTLES_NANOS = 1_000_000_000;
    private static final int PATIENT_ONE_IN = 4;

    private final SimulationRun run;
    private final boolean patient;
    /** The leases that the observer still tries for; and until when, by its own clock, each service held them as the phase began. */
    private final Map<Integer, Map<Service, Long>> undecided = new TreeMap<>();

    QuiescencePhase(SimulationRun run) {
        this.run = run;
        this.patient = Math.floorMod(run.plan().seed(), PATIENT_ONE_IN) == 0;
    }

    void begin() {
        run.endFaults();
        for (int lease = 0; lease < run.setting().leases(); lease++) {
            Map<Service, Long> heldUntilNanos = new HashMap<>();
            for (Service service : run.services()) {
                heldUntilNanos.put(service, service.heldUntilLocalNanos(GrantedTenures.lease(lease)));
            }
            undecided.put(lease, heldUntilNanos);
        }
        // A repair is seen when a majority has it.
        DatabaseConditions database = run.setting().database();
        run.simulation()
                .after(
                        2 * (database.replicationNanos() + database.replicationJitterNanos()) + 1_000_000,
                        this::observe);
    }

    private void observe() {
        Service observer =
                Objects.requireNonNull(run.service(run.plan().machines().size() - 1));
        long waitNanos = waitNanos();
        for (int number = 0; number < run.setting().leases(); number++) {
            int lease = number;
            observer.act("observer", () -> {
                unpin(observer, lease);
                tryFor(observer, lease, waitNanos);
            });
        }
        if (!patient) {
            run.simulation().after(SETTLES_NANOS, this::settle);
        }
        run.simulation().after(waitNanos + 2 * run.setting().operationNanos() + POLLS_NANOS, this::finish);
    }

    /** Longer than anything that was granted in this history may last on the slowest clock. */
    private long waitNanos() {
        long longestNanos = run.plan().commands().stream()
                .mapToLong(command -> command.action().keepsOthersOffNanos())
                .reduce(run.plan().longestSessionNanos(), Math::max);
        long stretchedNanos =
                longestNanos + longestNanos / 500_000 * (run.setting().driftPpm() + 1) + 1_000_000;
        return stretchedNanos + 2 * run.setting().operationNanos() + POLLS_NANOS;
    }

    /** No engine gets a lease while it is pinned. */
    private void unpin(Service observer, int lease) {
        for (Command command : run.plan().commands()) {
            if (command.action() instanceof Action.Pin pin && pin.lease() == lease) {
                observer.execute(new Action.Unpin(lease, pin.entity()));
            }
        }
    }

    /** As a service would: what is unknown or impossible just then is tried again while there is time. */
    private void tryFor(Service observer, int lease, long waitNanos) {
        long untilNanos = observer.runtime().localNowNanos() + waitNanos;
        long leftNanos = waitNanos;
        while (leftNanos > 0 && !isDecided(acquire(observer, GrantedTenures.lease(lease), leftNanos))) {
            observer.pause(TRY_AGAIN_NANOS);
            leftNanos = untilNanos - observer.runtime().localNowNanos();
        }
        undecided.remove(lease);
        if (undecided.isEmpty()) {
            finishSoon();
        }
    }

    private Answer acquire(Service observer, String lease, long waitNanos) {
        long sessionNanos = run.plan().sessionNanos(observer.machine());
        Operation operation = new Operation(Operation.Kind.ACQUIRE, lease, null, null, sessionNanos, true, waitNanos);
        return observer.call(operation, call -> {
            Acquisition acquisition =
                    observer.engine().tryAcquire(LeaseRequest.of(lease).waitAtMost(Duration.ofNanos(waitNanos)));
            acquisition.asOptional().ifPresent(held -> observer.acquired(held, call));
            return Answers.of(acquisition, observer::trueTimeOf);
        });
    }

    private static boolean isDecided(Answer answer) {
        return answer.kind() == Answer.Kind.YES || !answer.shown().isEmpty();
    }

    private void settle() {
        if (undecided.keySet().stream().allMatch(this::isRenewed)) {
            finishSoon();
        } else {
            run.simulation().after(SETTLES_NANOS, this::settle);
        }
    }

    /** Whether a service holds the lease for longer now than it did as the phase began. */
    private boolean isRenewed(int lease) {
        Map<Service, Long> before = Objects.requireNonNull(undecided.get(lease));
        return run.services().stream()
                .anyMatch(service -> service.heldUntilLocalNanos(GrantedTenures.lease(lease))
                        > before.getOrDefault(service, Long.MIN_VALUE));
    }

    /** Calls that are open may end, as far as they do so soon. */
    private void finishSoon() {
        boolean onlyTheObserverWaits = run.calls().open() <= undecided.size();
        run.simulation()
                .after(
                        onlyTheObserverWaits && !patient
                                ? SETTLES_NANOS
                                : 2 * run.setting().operationNanos(),
                        this::finish);
    }

    private void finish() {
        if (!run.simulation().isOver()) {
            run.record(Event.Finished::new);
            run.simulation().end();
        }
    }
}
