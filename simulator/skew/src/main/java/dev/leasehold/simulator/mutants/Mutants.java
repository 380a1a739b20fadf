package dev.leasehold.simulator.mutants;

import static dev.leasehold.simulator.checker.Guarantee.G1;
import static dev.leasehold.simulator.checker.Guarantee.G2;
import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G4;
import static dev.leasehold.simulator.checker.Guarantee.G5;
import static dev.leasehold.simulator.checker.Guarantee.G6;
import static dev.leasehold.simulator.checker.Guarantee.G7;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.LIM;
import static dev.leasehold.simulator.checker.Guarantee.T2;
import static dev.leasehold.simulator.mutants.Mutant.mutant;
import static dev.leasehold.simulator.plan.Profile.CALM;
import static dev.leasehold.simulator.plan.Profile.GATES;
import static dev.leasehold.simulator.plan.Profile.HANDLES;
import static dev.leasehold.simulator.plan.Profile.HOSTILE;
import static dev.leasehold.simulator.plan.Profile.MARGINS;
import static dev.leasehold.simulator.plan.Profile.RARE;
import static dev.leasehold.simulator.plan.Profile.SESSIONS;
import static dev.leasehold.simulator.plan.Profile.STUCK;
import static dev.leasehold.simulator.plan.Profile.SWARM;
import static dev.leasehold.simulator.plan.Profile.WALL;
import static dev.leasehold.simulator.run.EngineAssembly.UNCHANGED;

import dev.leasehold.engine.internal.rules.LeaseRules;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.Observation;
import dev.leasehold.simulator.mutants.advice.Bounds;
import dev.leasehold.simulator.mutants.advice.Decisions;
import dev.leasehold.simulator.plan.Components;
import java.util.List;
import java.util.stream.Stream;

/** The table of mutants: one or two for each guarantee, and for each rule of the specification. */
public final class Mutants {

    private static final String RULES = "decide";
    private static final long TEN_MILLIS_NANOS = 10_000_000;

    private static final Mutant CANARY = mutant("canary", "The token stands still.")
            .killedBy(G5)
            .within(50, CALM)
            .by(LeaseRules.class, RULES, Decisions.SameToken.class);

    private static final List<Mutant> ALL = Stream.of(clocks(), tenures(), answers(), writers(), effort(), callers())
            .flatMap(List::stream)
            .toList();

    private Mutants() {}

    /** When another's time is over, and for how long a holder believes: section 3. */
    private static List<Mutant> clocks() {
        return List.of(
                mutant("no-margin", "All clocks are taken to run at the same rate.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(UNCHANGED.withSettings(it -> Components.with(it, "drift", new Drift(0)))),
                mutant("half-margin", "Only one of the two clocks is taken to be wrong.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(UNCHANGED.withSettings(it -> Components.with(
                                it, "drift", new Drift(it.drift().ppm() / 2)))),
                mutant("at-the-bound", "The bound itself counts as past the bound.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(ExpiryBound.class, "hasPassed", Bounds.AtTheBound.class),
                mutant(
                                "expiry-compared-with-own-clock",
                                "The stored expiry is taken for an instant of one's own clock.")
                        .killedBy(G3)
                        .within(500, CALM)
                        .by(Observation.class, "safeAfterNanos", Bounds.OwnClock.class),
                mutant("bound-from-begin-of-read", "The bound is counted from the begin of the read.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(Observation.class, "safeAfterNanos", Bounds.BeginOfRead.class),
                mutant("wall-clock-stamps", "Local time is the time of day.")
                        .killedBy(G3, G4)
                        .within(2_000, WALL)
                        .by(UNCHANGED.withRuntime(ChangedParts::withWallClockAlone)),
                mutant("belief-by-monotonic-alone", "The time of day does not end a belief.")
                        .killedBy(T2)
                        .within(5_000, WALL)
                        .by(UNCHANGED.withRuntime(ChangedParts::withMonotonicClockAlone)),
                mutant("belief-longer-than-term", "A belief lasts 30 ms longer than the term, the time of a reply.")
                        .killedBy(T2)
                        .within(5_000, MARGINS)
                        .by(LeaseRules.class, RULES, Decisions.LongerBelief.class));
    }

    /** What may be done to a tenure, and under which guard: sections 4 to 6, and 10. */
    private static List<Mutant> tenures() {
        return List.of(
                mutant("claim-stored-shorter", "The stored expiry of a term is half a second too early.")
                        .killedBy(G1)
                        .within(500, CALM)
                        .by(UNCHANGED.withStore(ChangedWrites::expiringEarly)),
                mutant("release-ignores-token", "Whoever holds the lease gives it up, also by an old tenure.")
                        .killedBy(G1)
                        .within(5_000, SWARM)
                        .by(LeaseRules.class, RULES, Decisions.ReleaseOfAnyToken.class),
                mutant("extend-may-shorten", "An extension through another engine forgets what was promised before.")
                        .killedBy(G2)
                        .within(5_000, MARGINS)
                        .by(LeaseRules.class, RULES, Decisions.ExtensionMayShorten.class),
                mutant("guard-on-writer-only", "The guard of a lease names who wrote it, and not which of its writes.")
                        .killedBy(G3)
                        .within(5_000, SWARM)
                        .by(UNCHANGED.withStore(ChangedWrites::guardedByWriterAlone)),
                mutant("kept-free-is-taken", "Who takes a vacant lease does not look until when it is kept free.")
                        .killedBy(G3)
                        .within(5_000, RARE)
                        .by(LeaseRules.class, RULES, Decisions.KeptFreeIgnored.class),
                mutant("supersedes-anybody", "Who supersedes takes the lease from whoever holds it.")
                        .killedBy(G3, T2, G1)
                        .within(5_000, HANDLES)
                        .by(LeaseRules.class, RULES, Decisions.SupersedesAnybody.class),
                mutant("token-forgotten", "The token counts from the beginning when a tenure has ended.")
                        .killedBy(G5)
                        .within(500, CALM)
                        .by(LeaseRules.class, RULES, Decisions.TokenForgotten.class),
                mutant(
                                "first-token-without-the-floor",
                                "The first token of a name comes from a floor that may have been raised since.")
                        .killedBy(G5)
                        .within(5_000, RARE)
                        .by(LeaseRules.class, RULES, Decisions.WithoutTheFloor.class),
                mutant("documents-removed-early", "A vacant document is kept for ten milliseconds.")
                        .killedBy(G4)
                        .within(2_000, SWARM)
                        .by(UNCHANGED.withSettings(it -> Components.with(it, "retentionNanos", TEN_MILLIS_NANOS))),
                mutant("pinned-is-taken", "Who takes a lease does not look whether it is pinned.")
                        .killedBy(G8)
                        .within(5_000, SWARM)
                        .by(LeaseRules.class, RULES, Decisions.PinsIgnored.class),
                mutant("partition-by-own-hash", "Each engine has another order of the partitions.")
                        .killedBy(T2)
                        .within(500, SWARM)
                        .by(UNCHANGED.withPartition((it, instance) -> new Partition(
                                it.namespace(),
                                (it.index() + instance.charAt(instance.length() - 1)) % it.count(),
                                it.count()))));
    }

    /** What callers are told: sections 5 and 7. */
    private static List<Mutant> answers() {
        return List.of(
                mutant("unknown-is-yes", "What is not known counts as done.")
                        .killedBy(G8)
                        .within(2_000, HOSTILE)
                        .by(UNCHANGED.withStore(ChangedAnswers::unknownIsYes)),
                mutant("unknown-is-no", "What is not known counts as not done.")
                        .killedBy(G8)
                        .within(2_000, HOSTILE)
                        .by(UNCHANGED.withStore(ChangedAnswers::unknownIsNo)),
                mutant("landed-is-no", "What had landed before its commit was sent again counts as not done.")
                        .killedBy(G8)
                        .within(5_000, HOSTILE)
                        .by(UNCHANGED.withStore(ChangedAnswers::landedIsNo)),
                mutant("refusal-from-older-read", "A refusal rests on what was seen before the call.")
                        .killedBy(G8)
                        .within(2_000, CALM)
                        .by(UNCHANGED.withStore(ChangedAnswers::readingEveryOtherTime)),
                mutant("listing-leaves-out-the-vacant", "A listing shows those leases only that somebody holds.")
                        .killedBy(G8)
                        .within(5_000, SWARM)
                        .by(UNCHANGED.withStore(ChangedAnswers::listingOnlyTheHeld)),
                mutant("release-is-not-written", "A release is answered, and not sent.")
                        .killedBy(G8)
                        .within(500, SWARM)
                        .by(UNCHANGED.withStore(ChangedWrites::withoutReleases)));
    }

    /** Under which name an engine writes, and what ends a session: sections 5 and 9. */
    private static List<Mutant> writers() {
        return List.of(
                mutant(
                                "writer-id-reused",
                                "Every engine of a machine has the same name, and removes the entry before it.")
                        .killedBy(G3, G4)
                        .within(5_000, WALL)
                        .by(UNCHANGED
                                .withRuntime(ChangedParts::withOneText)
                                .withStore(ChangedWrites::replacingEntries)),
                mutant(
                                "eviction-without-stamp",
                                "A session is ended without looking whether its writer has shown a newer time.")
                        .killedBy(G3, T2)
                        .within(5_000, SESSIONS)
                        .by(UNCHANGED.withStore(ChangedWrites::evictingAnybody)),
                mutant("own-length-for-anothers", "The session of another writer is taken to be as long as one's own.")
                        .killedBy(G3, T2)
                        .within(5_000, SESSIONS)
                        .by(UNCHANGED.withStore(
                                (store, settings) -> ChangedAnswers.withSessionLength(store, settings.sessionNanos()))),
                mutant("closed-engine-stays", "An engine that is closed leaves its session to its end.")
                        .killedBy(G7)
                        .within(2_000, SESSIONS)
                        .by(UNCHANGED.withStore(ChangedWrites::withoutLeaving)),
                mutant("last-heartbeat-failed", "A heartbeat that has failed is the last.")
                        .killedBy(G7)
                        .within(5_000, RARE)
                        .by(UNCHANGED.withStore(ChangedWrites::withHeartbeatsUntilOneFails)),
                mutant("heartbeats-all-the-time", "A heartbeat is due every ten milliseconds.")
                        .killedBy(LIM)
                        .within(500, SESSIONS)
                        .by(UNCHANGED.withSettings(it -> Components.with(it, "heartbeatNanos", TEN_MILLIS_NANOS))));
    }

    /** How hard the engine tries: section 5. */
    private static List<Mutant> effort() {
        return List.of(
                mutant("no-jitter", "Whoever has failed tries again at once.")
                        .killedBy(G7, LIM)
                        .within(5_000, STUCK)
                        .by(UNCHANGED.withRuntime(ChangedParts::withoutPauses)),
                mutant("twice-the-budget", "A call has twice as much time as it was given.")
                        .killedBy(G7)
                        .within(2_000, HOSTILE)
                        .by(UNCHANGED.withSettings(
                                it -> Components.with(it, "operationBudgetNanos", 2 * it.operationBudgetNanos()))),
                mutant(
                                "stuck-transaction-is-left-alone",
                                "Whoever finds out which transaction has blocked the clock document leaves it open.")
                        .killedBy(G7)
                        .within(5_000, STUCK)
                        .by(UNCHANGED.withStore(ChangedAnswers::endingNothing)),
                mutant(
                                "one-corrupt-lease-stops-all",
                                "Who has seen a damaged lease takes the whole namespace for damaged.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(UNCHANGED.withStore(ChangedAnswers::damagedByOne)));
    }

    /** What is asserted in callers' transactions, and what holders are told: sections 8 and 10. */
    private static List<Mutant> callers() {
        return List.of(
                mutant("assertion-without-token", "The holder is asserted, and not the token.")
                        .killedBy(G6)
                        .within(5_000, GATES)
                        .by(UNCHANGED.withLeases(ChangedParts::withoutToken)),
                mutant("assertion-that-changes-nothing", "The lease is written as it is, which conflicts with nobody.")
                        .killedBy(G6)
                        .within(5_000, GATES)
                        .by(UNCHANGED.withLeases(ChangedParts::changingNothing)),
                mutant("end-leaves-stripes", "The end of a tenure writes the lease, and leaves its gate stripes alone.")
                        .killedBy(G6)
                        .within(500, GATES)
                        .by(UNCHANGED.withStore(ChangedWrites::leavingStripes)),
                mutant(
                                "rescue-ends-every-idle-transaction",
                                "Whoever finds a lease blocked ends all idle transactions, callers' too.")
                        .killedBy(G6)
                        .within(2_000, STUCK)
                        .by(UNCHANGED.withStore(ChangedAnswers::endingEverything)),
                mutant("loss-is-not-told", "A handle is over and tells nobody.")
                        .killedBy(G8)
                        .within(5_000, HANDLES)
                        .by(UNCHANGED.withRuntime(ChangedParts::withoutCallbacks)));
    }

    /** All of them, without the canary. */
    public static List<Mutant> all() {
        return ALL;
    }

    /** A mistake that nobody could miss: as long as it is found, the judges are awake. */
    public static Mutant canary() {
        return CANARY;
    }

    /**
     * That of a name, the canary too.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Mutant named(String name) {
        return Stream.concat(Stream.of(CANARY), ALL.stream())
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "mutant '" + name + "' is refused: it must be one of those that the command 'mutants' lists"));
    }
}
