package dev.leasehold.simulator.plan;

import java.util.function.Consumer;

/**
 * What a history is made of. A scenario adds the commands that belong together; several of them meet on the same leases and machines.
 * Those with a fault may be missing from a history.
 */
enum Scenario {
    TENURE_CALLS(8, false, TenureScenarios::calls),
    CONTENTION(3, false, TenureScenarios::contention),
    SUCCESSION(4, false, TenureScenarios::succession),
    SHARED_TENURE(3, false, TenureScenarios::sharedTenure),
    LOST_SHARE(2, true, TenureScenarios::lostShare),

    EXPIRY(8, false, BoundaryScenarios::expiry),
    DUEL(4, false, BoundaryScenarios::duel),
    OLD_OBSERVATION(2, true, BoundaryScenarios::oldObservation),
    LATE_REPLY(2, true, BoundaryScenarios::lateReply),

    HANDLE(6, false, HandleScenarios::handle),
    WAITERS(4, false, HandleScenarios::waiters),
    ELECTION(3, false, HandleScenarios::election),
    REDEPLOYMENT(2, false, HandleScenarios::redeployment),
    KEPT_FREE(2, false, HandleScenarios::keptFree),
    EVICTION(4, true, HandleScenarios::eviction),
    COMEBACK(3, true, HandleScenarios::comeback),
    FAILED_RENEWAL(2, true, HandleScenarios::failedRenewal),
    UNHEARD(2, true, HandleScenarios::unheard),

    GATE(4, false, TenureScenarios::gate),
    STRADDLE(4, false, TenureScenarios::straddle),
    STRIPED(3, false, TenureScenarios::striped),
    OPERATORS(2, false, TenureScenarios::operators),

    MACHINE_FAULT(6, true, FaultScenarios::machine),
    WALL_CLOCK(3, true, FaultScenarios::wallClock),
    DATABASE_FAULT(5, true, FaultScenarios::database),
    LOST_PRIMARY(2, true, FaultScenarios::lostPrimary),
    STUCK(2, true, FaultScenarios::stuck),
    REMOVED_DOCUMENT(1, true, FaultScenarios::removedDocument),
    OUTSIDE(8, true, FaultScenarios::outside);

    private final int weight;
    private final boolean fault;
    private final Consumer<PlanBuilder> commands;

    Scenario(int weight, boolean fault, Consumer<PlanBuilder> commands) {
        this.weight = weight;
        this.fault = fault;
        this.commands = commands;
    }

    /** How often it comes, compared with others. */
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
