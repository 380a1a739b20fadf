package dev.leasehold.simulator.plan;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a history is made of. A scenario adds the commands that belong together; several of them meet on the same leases and machines.
 * Those with a fault may be missing from a history.
 */
enum Scenario {
    TENURE_CALLS(9, false, TenureScenarios::new, TenureScenarios::calls),
    SUCCESSION(8, false, TenureScenarios::new, TenureScenarios::succession),
    SHARED_TENURE(3, false, TenureScenarios::new, TenureScenarios::sharedTenure),
    LOST_SHARE(2, true, TenureScenarios::new, TenureScenarios::lostShare),
    OPERATORS(2, false, TenureScenarios::new, TenureScenarios::operators),
    GATE(4, false, TenureScenarios::new, TenureScenarios::gate),
    STRIPED(3, false, TenureScenarios::new, TenureScenarios::striped),
    ONCE(4, false, TenureScenarios::new, TenureScenarios::once),
    PAUSED_ONCE(2, true, TenureScenarios::new, TenureScenarios::pausedOnce),

    EXPIRY(8, false, BoundaryScenarios::new, BoundaryScenarios::expiry),
    DUEL(5, false, BoundaryScenarios::new, BoundaryScenarios::duel),
    OLD_OBSERVATION(2, true, BoundaryScenarios::new, BoundaryScenarios::oldObservation),

    HANDLE(7, false, HandleScenarios::new, HandleScenarios::handle),
    WAITERS(4, false, HandleScenarios::new, HandleScenarios::waiters),
    QUEUE(4, false, HandleScenarios::new, HandleScenarios::queue),
    DISTURBED_QUEUE(2, true, HandleScenarios::new, HandleScenarios::disturbedQueue),
    ELECTION(3, false, HandleScenarios::new, HandleScenarios::election),
    KEPT_FREE(2, false, HandleScenarios::new, HandleScenarios::keptFree),
    EVICTION(4, true, HandleScenarios::new, HandleScenarios::eviction),
    COMEBACK(3, true, HandleScenarios::new, HandleScenarios::comeback),
    FAILED_RENEWAL(2, true, HandleScenarios::new, HandleScenarios::failedRenewal),
    UNHEARD(2, true, HandleScenarios::new, HandleScenarios::unheard),

    SILENT_WAITER(0, true, QueueScenarios::new, QueueScenarios::silentWaiter),
    WITHDRAWN_TICKET(0, true, QueueScenarios::new, QueueScenarios::withdrawnTicket),
    GRANTED_AGAIN(0, true, QueueScenarios::new, QueueScenarios::grantedAgain),

    MACHINE_FAULT(6, true, FaultScenarios::new, FaultScenarios::machineFault),
    WALL_CLOCK(3, true, FaultScenarios::new, FaultScenarios::wallClock),
    DATABASE_FAULT(5, true, FaultScenarios::new, FaultScenarios::database),
    LOST_PRIMARY(2, true, FaultScenarios::new, FaultScenarios::lostPrimary),
    STUCK(2, true, FaultScenarios::new, FaultScenarios::stuck),
    REMOVED_DOCUMENT(1, true, FaultScenarios::new, FaultScenarios::removedDocument),
    OUTSIDE(8, true, FaultScenarios::new, FaultScenarios::outside);

    private final int weight;
    private final boolean fault;
    private final Consumer<PlanBuilder> commands;

    <S extends Scene> Scenario(int weight, boolean fault, Function<PlanBuilder, S> scene, Consumer<S> commands) {
        this.weight = weight;
        this.fault = fault;
        this.commands = plan -> commands.accept(scene.apply(plan));
    }

    /** How often it comes, compared with others; 0 if only where a profile names it. */
    int weight() {
        return weight;
    }

    boolean hasFault() {
        return fault;
    }

    void addTo(PlanBuilder plan) {
        commands.accept(plan);
    }
}
