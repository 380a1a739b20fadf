package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Scenario.COMEBACK;
import static dev.leasehold.simulator.plan.Scenario.DATABASE_FAULT;
import static dev.leasehold.simulator.plan.Scenario.DISTURBED_QUEUE;
import static dev.leasehold.simulator.plan.Scenario.DUEL;
import static dev.leasehold.simulator.plan.Scenario.ELECTION;
import static dev.leasehold.simulator.plan.Scenario.EVICTION;
import static dev.leasehold.simulator.plan.Scenario.EXPIRY;
import static dev.leasehold.simulator.plan.Scenario.FAILED_RENEWAL;
import static dev.leasehold.simulator.plan.Scenario.GATE;
import static dev.leasehold.simulator.plan.Scenario.GRANTED_AGAIN;
import static dev.leasehold.simulator.plan.Scenario.HANDLE;
import static dev.leasehold.simulator.plan.Scenario.KEPT_FREE;
import static dev.leasehold.simulator.plan.Scenario.LOST_PRIMARY;
import static dev.leasehold.simulator.plan.Scenario.LOST_SHARE;
import static dev.leasehold.simulator.plan.Scenario.MACHINE_FAULT;
import static dev.leasehold.simulator.plan.Scenario.OLD_OBSERVATION;
import static dev.leasehold.simulator.plan.Scenario.ONCE;
import static dev.leasehold.simulator.plan.Scenario.OPERATORS;
import static dev.leasehold.simulator.plan.Scenario.PAUSED_ONCE;
import static dev.leasehold.simulator.plan.Scenario.QUEUE;
import static dev.leasehold.simulator.plan.Scenario.REMOVED_DOCUMENT;
import static dev.leasehold.simulator.plan.Scenario.SHARED_TENURE;
import static dev.leasehold.simulator.plan.Scenario.SILENT_WAITER;
import static dev.leasehold.simulator.plan.Scenario.STRIPED;
import static dev.leasehold.simulator.plan.Scenario.SUCCESSION;
import static dev.leasehold.simulator.plan.Scenario.TENURE_CALLS;
import static dev.leasehold.simulator.plan.Scenario.UNHEARD;
import static dev.leasehold.simulator.plan.Scenario.WAITERS;
import static dev.leasehold.simulator.plan.Scenario.WALL_CLOCK;
import static dev.leasehold.simulator.plan.Scenario.WITHDRAWN_TICKET;

import dev.leasehold.simulator.plan.Workload.MessageFaults;
import dev.leasehold.simulator.plan.Workload.Network;
import dev.leasehold.simulator.plan.Workload.Rates;
import java.util.Locale;

/** What kind of histories is drawn. */
public enum Profile {
    CALM(
            "Everything that services do, on clocks within the bound and a slow network. No faults.",
            false,
            Workload.of(Network.DELAYED, Rates.WITHIN, MessageFaults.NONE).withAll(false, 1)),

    SWARM(
            "Everything; each history first draws which faults exist. One in sixteen leaves the assumptions.",
            true,
            Workload.of(Network.SOME_FAULTS, Rates.WITHIN, MessageFaults.SOME)
                    .withAll(false, 1)
                    .withAll(true, 1)),

    HOSTILE(
            "All faults at once, and many of them.",
            false,
            Workload.of(Network.ALL_FAULTS, Rates.WITHIN, MessageFaults.MANY)
                    .withAll(false, 1)
                    .withAll(true, 2)),

    BOUNDARY(
            "The end of a lease, to the nanosecond, on a fast network.",
            true,
            Workload.of(Network.INSTANT, Rates.WITHIN, MessageFaults.NONE)
                    .with(30, EXPIRY)
                    .with(18, DUEL)
                    .with(12, OLD_OBSERVATION)
                    .with(2, SUCCESSION, EVICTION, HANDLE, SHARED_TENURE, TENURE_CALLS, MACHINE_FAULT, WALL_CLOCK)
                    .with(2, QUEUE)),

    SESSIONS(
            "Session leases beside term leases: heartbeats, evictions, handovers, waiters, silent machines.",
            true,
            Workload.of(Network.SOME_FAULTS, Rates.WITHIN, MessageFaults.SOME)
                    .with(24, EVICTION)
                    .with(44, HANDLE)
                    .with(18, WAITERS, QUEUE, COMEBACK, MACHINE_FAULT)
                    .with(8, ELECTION, DISTURBED_QUEUE, FAILED_RENEWAL)
                    .with(4, TENURE_CALLS, SHARED_TENURE, SUCCESSION, GATE, OPERATORS, WALL_CLOCK, DATABASE_FAULT)),

    OUTSIDE(
            "Clocks beyond the bound or stepping back, clones, suspends without a trace: tier 1 must hold.",
            true,
            Workload.of(Network.SOME_FAULTS, Rates.ANY, MessageFaults.SOME)
                    .withAll(false, 1)
                    .withAll(true, 1)
                    .with(24, Scenario.OUTSIDE)),

    TIGHT(
            "Rates just beyond the bound, a slow holder and a fast taker: validities must overlap.",
            false,
            Workload.of(Network.INSTANT, Rates.BEYOND, MessageFaults.NONE)
                    .exactly()
                    .always(24, DUEL)
                    .with(2, TENURE_CALLS)
                    .with(1, QUEUE)),

    MARGINS(
            "Rates at both ends of the bound, terms without rounding: the drift margin must be all there.",
            true,
            Workload.of(Network.INSTANT, Rates.OPPOSED, MessageFaults.NONE)
                    .exactly()
                    .always(16, DUEL)
                    .always(4, EXPIRY)
                    .with(1, EVICTION, OLD_OBSERVATION, SHARED_TENURE, TENURE_CALLS, QUEUE)),

    WALL(
            "Wall clocks that are years apart, step, or are coarse, and suspended machines.",
            true,
            Workload.of(Network.DELAYED, Rates.WITHIN, MessageFaults.NONE)
                    .with(30, WALL_CLOCK)
                    .always(24, OLD_OBSERVATION)
                    .always(12, EVICTION, MACHINE_FAULT)
                    .with(16, EXPIRY)
                    .with(6, TENURE_CALLS, HANDLE, COMEBACK, DUEL, DISTURBED_QUEUE)),

    ROLLBACK(
            "Primaries lost with what no majority has: what was answered must stay.",
            true,
            Workload.of(Network.SOME_FAULTS, Rates.WITHIN, MessageFaults.SOME)
                    .always(30, LOST_PRIMARY)
                    .with(16, DATABASE_FAULT, TENURE_CALLS)
                    .with(6, HANDLE, QUEUE, GATE)),

    GATES(
            "Callers' transactions with old tenures, across the end of a lease, on gate stripes, in conflict,"
                    + " repeated, once per occurrence.",
            true,
            Workload.of(Network.DELAYED, Rates.WITHIN, MessageFaults.SOME)
                    .always(60, SUCCESSION)
                    .always(30, STRIPED)
                    .with(50, GATE, ONCE)
                    .with(20, PAUSED_ONCE)
                    .with(8, TENURE_CALLS, HANDLE, QUEUE, OPERATORS, MACHINE_FAULT, DATABASE_FAULT)),

    HANDLES(
            "Handles that renew and wait, while the database answers with passing errors.",
            true,
            Workload.of(Network.SOME_FAULTS, Rates.WITHIN, MessageFaults.SOME)
                    .always(30, HANDLE, WAITERS, QUEUE)
                    .with(10, ELECTION, DISTURBED_QUEUE, KEPT_FREE, COMEBACK, FAILED_RENEWAL)
                    .with(8, DATABASE_FAULT, MACHINE_FAULT, TENURE_CALLS)
                    .with(4, OPERATORS)),

    STUCK(
            "Engines that stop or die with a transaction open, and storms of conflicts.",
            true,
            Workload.of(Network.DELAYED, Rates.WITHIN, MessageFaults.SOME)
                    .always(40, Scenario.STUCK)
                    .with(24, DATABASE_FAULT, TENURE_CALLS)
                    .with(6, HANDLE, QUEUE)),

    RARE(
            "Rare coincidences: two engines of one holder, one lost answer or abort, one failed heartbeat.",
            true,
            Workload.of(Network.DELAYED, Rates.WITHIN, MessageFaults.NONE)
                    .always(5, KEPT_FREE, FAILED_RENEWAL, UNHEARD, COMEBACK, REMOVED_DOCUMENT, Scenario.STUCK)
                    .always(8, LOST_SHARE)
                    .with(4, DISTURBED_QUEUE)),

    QUEUES(
            "Waiters at bad moments: silent when the lease is granted, withdrawn too late, granted it twice.",
            false,
            Workload.of(Network.DELAYED, Rates.WITHIN, MessageFaults.NONE)
                    .always(6, SILENT_WAITER, WITHDRAWN_TICKET, GRANTED_AGAIN)
                    .with(2, QUEUE, DISTURBED_QUEUE, EVICTION, ELECTION));

    private final String description;
    private final boolean swarm;
    private final Workload workload;

    Profile(String description, boolean swarm, Workload workload) {
        this.description = description;
        this.swarm = swarm;
        this.workload = workload;
    }

    /** How people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What its histories are like, in a sentence. */
    public String description() {
        return description;
    }

    /** Whether each history draws a part of the workload for itself. */
    boolean isSwarm() {
        return swarm;
    }

    Workload workload() {
        return workload;
    }
}
