package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.plan.Deed.Group;
import dev.leasehold.simulator.plan.Mix.Fates;
import dev.leasehold.simulator.plan.Mix.Rates;
import dev.leasehold.simulator.plan.Mix.Weather;
import java.util.Locale;

/** What kind of histories is drawn. */
public enum Profile {
    CALM(
            "Everything that services do, on clocks within the bound and a slow network. No faults.",
            false,
            Mix.of(Weather.FAIR, Rates.WITHIN, Fates.NONE)
                    .with(2, Group.TERMS, Group.AIMED, Group.HANDLES, Group.GATES)
                    .with(1, Group.OPERATORS)
                    .with(0, Deed.LATE_SIGHT, Deed.OLD_SIGHT, Deed.LATE_REPLY, Deed.EVICTION)),

    SWARM(
            "Everything; each history first draws which faults exist. One in sixteen leaves the assumptions.",
            true,
            Mix.of(Weather.MIXED, Rates.WITHIN, Fates.MIXED)
                    .with(2, Group.TERMS, Group.AIMED, Group.HANDLES, Group.GATES, Group.NODES, Group.DATABASE)
                    .with(1, Group.OPERATORS, Group.WALLS, Group.DATA)),

    HOSTILE(
            "All faults at once, and many of them.",
            false,
            Mix.of(Weather.ROUGH, Rates.WITHIN, Fates.MANY)
                    .with(2, Group.TERMS, Group.AIMED, Group.HANDLES, Group.GATES)
                    .with(4, Group.NODES, Group.DATABASE)
                    .with(2, Group.WALLS, Group.OPERATORS, Group.DATA)),

    BOUNDARY(
            "The end of a lease, to the nanosecond, on a fast network.",
            true,
            Mix.of(Weather.STILL, Rates.WITHIN, Fates.NONE)
                    .with(6, Group.AIMED)
                    .with(2, Deed.STRADDLE, Deed.EVICTION, Deed.SESSION, Deed.TWO_ENGINES, Deed.REFRESH)
                    .with(1, Deed.PAUSE, Deed.SUSPEND, Deed.MIGRATE, Deed.WALL_STEP)),

    SESSIONS(
            "Session leases beside term leases: heartbeats, evictions, handovers, waiters, silent machines.",
            true,
            Mix.of(Weather.MIXED, Rates.WITHIN, Fates.MIXED)
                    .with(6, Group.HANDLES)
                    .with(3, Group.NODES)
                    .with(1, Group.TERMS, Group.GATES, Group.OPERATORS, Group.WALLS, Group.DATABASE)),

    OUTSIDE(
            "Clocks beyond the bound or stepping back, clones, suspends without a trace: tier 1 must hold.",
            true,
            Mix.of(Weather.MIXED, Rates.ANY, Fates.MIXED)
                    .with(2, Group.TERMS, Group.AIMED, Group.HANDLES, Group.GATES, Group.NODES, Group.DATABASE)
                    .with(1, Group.OPERATORS, Group.WALLS, Group.DATA)
                    .with(6, Group.OUTSIDE)),

    TIGHT(
            "Rates just beyond the bound, a slow holder and a fast taker: validities must overlap.",
            false,
            Mix.of(Weather.STILL, Rates.BEYOND, Fates.NONE)
                    .exactly()
                    .always(8, Deed.DUEL)
                    .with(1, Deed.EXTEND, Deed.REFRESH)),

    MARGINS(
            "Rates at both ends of the bound, terms without rounding: the drift margin must be all there.",
            true,
            Mix.of(Weather.STILL, Rates.OPPOSED, Fates.NONE)
                    .exactly()
                    .always(4, Deed.DUEL, Deed.LATE_SIGHT, Deed.SHORTER_BY_ANOTHER, Deed.NEAR_EXPIRY, Deed.CARRIED_OVER)
                    .with(1, Deed.EVICTION, Deed.OLD_SIGHT, Deed.TWO_ENGINES, Deed.REFRESH)),

    WALL(
            "Wall clocks that are years apart, step, or are coarse, and suspended machines.",
            true,
            Mix.of(Weather.FAIR, Rates.WITHIN, Fates.NONE)
                    .with(1, Group.TERMS, Group.HANDLES)
                    .with(2, Group.AIMED)
                    .with(8, Group.WALLS)
                    .always(12, Deed.SUSPEND, Deed.OLD_SIGHT, Deed.EVICTION)
                    .with(4, Deed.CRASH_AND_RETURN, Deed.RESTART)),

    ROLLBACK(
            "Primaries lost with what no majority has: what was answered must stay.",
            true,
            Mix.of(Weather.MIXED, Rates.WITHIN, Fates.MIXED)
                    .always(30, Deed.LOSS)
                    .with(6, Deed.FAIL_OVER, Deed.LAG)
                    .with(1, Group.TERMS, Group.HANDLES, Group.GATES)
                    .with(4, Deed.REFRESH, Deed.CONTENTION)),

    GATES(
            "Callers' transactions with old tenures, across the end of a lease, on gate stripes, in conflict, repeated.",
            true,
            Mix.of(Weather.FAIR, Rates.WITHIN, Fates.MIXED)
                    .always(30, Deed.STRADDLE, Deed.OLD_TENURE, Deed.STRIPED)
                    .with(25, Deed.GATE, Deed.FORGETFUL)
                    .with(1, Group.TERMS, Group.HANDLES, Group.OPERATORS, Group.NODES)
                    .with(2, Deed.STORM, Deed.STRAY, Deed.FAIL_OVER)),

    HANDLES(
            "Handles that renew and wait, while the database answers with passing errors.",
            true,
            Mix.of(Weather.MIXED, Rates.WITHIN, Fates.MIXED)
                    .always(20, Deed.TERM_HANDLE, Deed.WAITERS, Deed.HANDOVER)
                    .with(4, Deed.SESSION, Deed.MIXED_KINDS, Deed.SUPERSEDED, Deed.FAILED_RENEWAL)
                    .with(2, Deed.CUT_OFF, Deed.FAIL_OVER, Deed.STORM, Deed.PAUSE, Deed.CORRUPT)
                    .with(1, Group.TERMS, Group.OPERATORS)),

    STUCK(
            "Engines that stop or die with a transaction open, and storms of conflicts.",
            true,
            Mix.of(Weather.FAIR, Rates.WITHIN, Fates.MIXED)
                    .always(30, Deed.STUCK)
                    .with(8, Deed.STORM, Deed.STRAY, Deed.CONTENTION, Deed.BATCH)
                    .with(1, Group.TERMS, Group.HANDLES, Group.DATA)),

    RARE(
            "Rare coincidences: two engines of one holder, one lost answer or abort, one failed heartbeat.",
            true,
            Mix.of(Weather.FAIR, Rates.WITHIN, Fates.NONE)
                    .always(4, Deed.KEPT_FREE, Deed.SHARED)
                    .always(
                            3,
                            Deed.LOST_ABORT,
                            Deed.FAILED_BEAT,
                            Deed.DOUBT_AFTER_CONFLICT,
                            Deed.HIDDEN_BY_DAMAGE,
                            Deed.REVIVED,
                            Deed.MIXED)
                    .always(2, Deed.OWNER_COMES_BACK, Deed.GIVEN_UP_UNHEARD, Deed.ABSENT_BEFORE_AND_AFTER));

    private final String description;
    private final boolean swarm;
    private final Mix mix;

    Profile(String description, boolean swarm, Mix mix) {
        this.description = description;
        this.swarm = swarm;
        this.mix = mix;
    }

    /** By its word. */
    public static Profile of(String word) {
        for (Profile profile : values()) {
            if (profile.word().equals(word)) {
                return profile;
            }
        }
        throw new IllegalArgumentException("profile '" + word + "' is refused: there is none of that name");
    }

    /** How people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What its histories are like, in a sentence. */
    public String description() {
        return description;
    }

    /** Whether each history draws a part of the mix for itself. */
    boolean isSwarm() {
        return swarm;
    }

    Mix mix() {
        return mix;
    }
}
