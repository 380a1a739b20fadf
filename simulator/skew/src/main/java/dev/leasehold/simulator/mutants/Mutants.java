package dev.leasehold.simulator.mutants;

import static dev.leasehold.simulator.checker.Guarantee.G1;
import static dev.leasehold.simulator.checker.Guarantee.G2;
import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G4;
import static dev.leasehold.simulator.checker.Guarantee.G5;
import static dev.leasehold.simulator.checker.Guarantee.G6;
import static dev.leasehold.simulator.checker.Guarantee.G7;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.G9;
import static dev.leasehold.simulator.checker.Guarantee.LIM;
import static dev.leasehold.simulator.checker.Guarantee.T2;
import static dev.leasehold.simulator.mutants.Mutant.of;
import static dev.leasehold.simulator.plan.Profile.CALM;
import static dev.leasehold.simulator.plan.Profile.GATES;
import static dev.leasehold.simulator.plan.Profile.HANDLES;
import static dev.leasehold.simulator.plan.Profile.HOSTILE;
import static dev.leasehold.simulator.plan.Profile.MARGINS;
import static dev.leasehold.simulator.plan.Profile.QUEUES;
import static dev.leasehold.simulator.plan.Profile.RARE;
import static dev.leasehold.simulator.plan.Profile.SESSIONS;
import static dev.leasehold.simulator.plan.Profile.STUCK;
import static dev.leasehold.simulator.plan.Profile.SWARM;
import static dev.leasehold.simulator.plan.Profile.WALL;
import static dev.leasehold.simulator.run.EngineAssembly.UNCHANGED;

import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.WaitQueue;
import dev.leasehold.engine.internal.rules.WriterSights;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.simulator.mutants.advice.Bounds;
import dev.leasehold.simulator.mutants.advice.ChangedRule;
import dev.leasehold.simulator.mutants.advice.Queues;
import dev.leasehold.simulator.plan.Components;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.run.EngineRunner;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table of mutants: one or two for each guarantee, and for each rule of the specification. */
public final class Mutants {

    private static final long TEN_MILLIS_NANOS = 10_000_000;

    private static final Mutant CANARY =
            of("canary", 50, CALM, G5).described("The token stands still.").by(Patch.of(ChangedRule.SAME_TOKEN));

    private static final List<Mutant> ALL = Stream.of(
                    clocks(), tenures(), answers(), writers(), effort(), callers(), waiters())
            .flatMap(List::stream)
            .toList();

    private Mutants() {}

    /** When another's time is over, and for how long a tenure is valid: section 3. */
    private static List<Mutant> clocks() {
        return List.of(
                of("no-margin", 5_000, MARGINS, G3)
                        .described("All clocks are taken to run at the same rate.")
                        .by(UNCHANGED.withSettings(it -> Components.with(it, "drift", new Drift(0)))),
                of("at-the-bound", 5_000, MARGINS, G3)
                        .described("The bound itself counts as past the bound.")
                        .by(new Patch("bound", ExpiryBound.class, "hasPassed", Bounds.AtTheBound.class)),
                of("bound-from-begin-of-read", 5_000, MARGINS, G3)
                        .described("The bound is counted from the begin of the read.")
                        .by(new Patch("bound", LeaseCache.class, "observe", Bounds.BeginOfRead.class)),
                of("look-that-went-back", 5_000, SESSIONS, G3, T2)
                        .described("A look at all writers during which the clock went back counts.")
                        .by(new Patch("look", WriterSights.class, "sawAll", Bounds.LookWentBack.class)),
                of("sight-of-an-older-incarnation", 10_000, WALL, G3, T2)
                        .described("What was seen of a writer counts for the writer after it on the same machine.")
                        .by(UNCHANGED.withStore(ChangedStores::withStampsOfMachines)),
                of("looks-show-no-writer", 5_000, SESSIONS, G7)
                        .described("An engine knows of no writer before it reads one of its leases.")
                        .by(UNCHANGED.withStore(ChangedStores::withoutStamps)),
                of("wall-clock-stamps", 2_000, WALL, G3, G4)
                        .described("Local time is the time of day.")
                        .by(UNCHANGED.withRuntime(ChangedParts::withWallClockAlone)),
                of("validity-by-monotonic-alone", 5_000, WALL, T2)
                        .described("The time of day does not end a validity.")
                        .by(UNCHANGED.withRuntime(ChangedParts::withMonotonicClockAlone)),
                of("validity-longer-than-term", 5_000, MARGINS, T2)
                        .described("A validity lasts 30 ms longer than the term, the time of a reply.")
                        .by(Patch.of(ChangedRule.LONGER_VALIDITY)));
    }

    /** What may be done to a tenure, and under which guard: sections 4 to 6, and 10. */
    private static List<Mutant> tenures() {
        return List.of(
                of("claim-stored-shorter", 500, CALM, G1)
                        .described("The stored expiry of a term is half a second too early.")
                        .by(UNCHANGED.withStore(ChangedStores::expiringEarly)),
                of("release-ignores-token", 5_000, SWARM, G1)
                        .described("An old tenure of the holder releases its lease.")
                        .by(Patch.of(ChangedRule.RELEASE_OF_ANY_TOKEN)),
                of("extend-may-shorten", 5_000, MARGINS, G2)
                        .described("An extension through another engine forgets what was granted before.")
                        .by(Patch.of(ChangedRule.EXTENSION_MAY_SHORTEN)),
                of("guard-on-writer-only", 5_000, SWARM, G3)
                        .described("The guard of a lease names which engine wrote it, and not which of its writes.")
                        .by(UNCHANGED.withStore(ChangedStores::guardedByWriterAlone)),
                of("kept-free-is-taken", 5_000, RARE, G3)
                        .described("A vacant lease is taken while it is kept free.")
                        .by(Patch.of(ChangedRule.KEPT_FREE_IGNORED)),
                of("supersedes-any-holder", 5_000, HANDLES, G3, T2, G1)
                        .described("Superseding takes the lease from any holder.")
                        .by(Patch.of(ChangedRule.SUPERSEDES_ANY_HOLDER)),
                of("first-token-without-the-floor", 5_000, RARE, G5)
                        .described("The first token of a name comes from a floor that may have been raised since.")
                        .by(Patch.of(ChangedRule.WITHOUT_THE_FLOOR)),
                of("documents-removed-early", 2_000, SWARM, G4)
                        .described("A vacant document is kept for ten milliseconds.")
                        .by(UNCHANGED.withSettings(it -> Components.with(it, "retentionNanos", TEN_MILLIS_NANOS))),
                of("pinned-is-taken", 5_000, SWARM, G8)
                        .described("A lease is taken although it is pinned.")
                        .by(Patch.of(ChangedRule.PINS_IGNORED)),
                of("partition-by-own-hash", 500, SWARM, T2)
                        .described("Each engine has another order of the partitions.")
                        .by(UNCHANGED.withPartition((it, instance) -> new Partition(
                                it.namespace(),
                                (it.index() + instance.charAt(instance.length() - 1)) % it.count(),
                                it.count()))));
    }

    /** What callers are told: sections 5 and 7. */
    private static List<Mutant> answers() {
        return List.of(
                of("unknown-is-yes", 2_000, HOSTILE, G8)
                        .described("An unknown outcome counts as done.")
                        .by(UNCHANGED.withStore(store -> ChangedStores.knowing(store, WriteOutcome.APPLIED))),
                of("unknown-is-no", 2_000, HOSTILE, G8)
                        .described("An unknown outcome counts as not done.")
                        .by(UNCHANGED.withStore(store -> ChangedStores.knowing(store, ChangedStores.notDone()))),
                of("refusal-from-older-read", 2_000, CALM, G8)
                        .described("A refusal rests on what was seen before the call.")
                        .by(UNCHANGED.withStore(ChangedStores::readingEveryOtherTime)),
                of("listing-leaves-out-the-vacant", 5_000, SWARM, G8)
                        .described("A listing shows only leases with a holder.")
                        .by(UNCHANGED.withStore(ChangedStores::listingOnlyTheHeld)));
    }

    /** Under which name an engine writes, and what ends a session: sections 5 and 9. */
    private static List<Mutant> writers() {
        return List.of(
                of("writer-id-reused", 5_000, WALL, G3, G4)
                        .described("Every engine of a machine has the same name, and removes the entry before it.")
                        .by(UNCHANGED
                                .withRuntime(ChangedParts::withOneText)
                                .withStore(ChangedStores::replacingEntries)),
                of("eviction-without-stamp", 5_000, SESSIONS, G3, T2)
                        .described("A session is ended without looking whether its writer has shown a newer time.")
                        .by(UNCHANGED.withStore(ChangedStores::evictingAnyWriter)),
                of("own-length-for-anothers", 5_000, SESSIONS, G3, T2)
                        .described("The session of another writer is taken to be as long as one's own.")
                        .by(UNCHANGED.withStore(
                                (store, settings) -> ChangedStores.withSessionLength(store, settings.sessionNanos()))),
                of("closed-engine-stays", 2_000, SESSIONS, G7)
                        .described("A closed engine leaves its session to its end.")
                        .by(UNCHANGED.withStore(ChangedStores::withoutLeaving)),
                of("heartbeats-all-the-time", 500, SESSIONS, LIM)
                        .described("A heartbeat is due every ten milliseconds.")
                        .by(UNCHANGED.withSettings(it -> Components.with(it, "heartbeatNanos", TEN_MILLIS_NANOS))));
    }

    /** How hard the engine tries: section 5. */
    private static List<Mutant> effort() {
        return List.of(
                of("twice-the-budget", 2_000, HOSTILE, G7)
                        .described("A call has twice as much time as it was given.")
                        .by(UNCHANGED.withSettings(
                                it -> Components.with(it, "operationBudgetNanos", 2 * it.operationBudgetNanos()))),
                of("stuck-transaction-is-left-alone", 5_000, STUCK, G7)
                        .described("The transaction that was found to block the clock document is left open.")
                        .by(UNCHANGED.withStore(ChangedStores::endingNothing)),
                of("one-corrupt-lease-stops-all", 10_000, HANDLES, G7)
                        .described("An engine that has read a damaged lease takes the whole namespace for damaged.")
                        .by(UNCHANGED.withStore(ChangedStores::damagedByOne)));
    }

    /** What is asserted in callers' transactions, and what holders are told: sections 8 and 10. */
    private static List<Mutant> callers() {
        return List.of(
                of("assertion-without-token", 5_000, GATES, G6)
                        .described("The holder is asserted, and not the token.")
                        .by(UNCHANGED.withLeases(ChangedParts::withoutToken)),
                of("assertion-that-changes-nothing", 5_000, GATES, G6)
                        .described("The lease is written as it is, which conflicts with nothing.")
                        .by(UNCHANGED.withLeases(ChangedParts::changingNothing)),
                of("record-of-the-tenure", 2_000, GATES, G9)
                        .described("The id of a record contains the token, so that each tenure has its own.")
                        .by(UNCHANGED.withLeases(ChangedParts::withTokenInRecords)),
                of("record-left-out", 500, GATES, G9)
                        .described("A transaction that does an occurrence stores no record.")
                        .by(UNCHANGED.withLeases(ChangedParts::withoutRecords)),
                of("end-leaves-stripes", 500, GATES, G6)
                        .described("The end of a tenure does not write its gate stripes.")
                        .by(UNCHANGED.withStore(ChangedStores::leavingStripes)),
                of("rescue-ends-every-idle-transaction", 2_000, STUCK, G6)
                        .described("An engine that finds a lease blocked ends all idle transactions, callers' too.")
                        .by(UNCHANGED.withStore(ChangedStores::endingEverything)),
                of("loss-is-not-told", 5_000, HANDLES, G8)
                        .described("A handle is over and no listener is told.")
                        .by(UNCHANGED.withRuntime(ChangedParts::withoutCallbacks)));
    }

    /** How those that wait get a lease: section 11. */
    private static List<Mutant> waiters() {
        return List.of(
                of("grant-keeps-the-token", 500, CALM, G5)
                        .described("What is granted has the token of the tenure before.")
                        .by(Patch.of(ChangedRule.GRANTED_UNDER_THE_SAME_TOKEN)),
                of("grant-under-own-name", 2_000, CALM, G7, G8)
                        .described("What is granted has the name of the engine that grants it.")
                        .by(Patch.of(ChangedRule.GRANTED_UNDER_THE_OWN_NAME)),
                of("pinned-is-granted", 5_000, HANDLES, G8)
                        .described("A lease is granted to a ticket although it is pinned.")
                        .by(Patch.of(ChangedRule.GRANTED_ALTHOUGH_PINNED)),
                of("release-without-withdrawal", 2_000, CALM, LIM)
                        .described("A release leaves closed tickets in the queue, and counts them as taken out.")
                        .by(Patch.of(ChangedRule.RELEASE_WITHOUT_WITHDRAWAL)),
                of("unheld-is-kept", 5_000, SESSIONS, G7)
                        .described("A lease that was granted to a closed ticket is not passed on.")
                        .by(Patch.of("heard", "queue.AcquireQueues", "hear", Queues.AlwaysHeard.class)),
                of("heard-with-any-ticket", 2_000, SESSIONS, G7)
                        .described(
                                "A grant to one ticket of an engine is taken to be for any other that it waits with.")
                        .by(Patch.of("named", "queue.Ticket", "isNamed", Queues.AnyTicket.class)),
                of("heard-under-former-name", 2_000, QUEUES, G8, T2)
                        .described("What was granted to a former writer of an engine is heard by the present one.")
                        .by(Patch.of(ChangedRule.HEARD_UNDER_A_FORMER_NAME)),
                of("hearing-is-life", 2_000, QUEUES, G8, T2)
                        .described("What is heard of after the end of the session is valid for another session.")
                        .by(Patch.of(ChangedRule.HEARING_IS_LIFE)),
                of("queue-of-another-tenure", 2_000, QUEUES, G7)
                        .described("A holder grants by a queue that it has read before it held the lease.")
                        .by(new Patch("queue", WaitQueue.class, "wasReadUnder", Queues.OfAnotherTenure.class)),
                of("guard-without-token", 2_000, QUEUES, G5)
                        .described("The guard of a lease names writer and stamp, which a second grant brings back.")
                        .by(Patch.of("guard", "mongo.documents.Guards", "leaseAsRead", Queues.WithoutToken.class)));
    }

    /** All of them, without the canary. */
    public static List<Mutant> all() {
        return ALL;
    }

    /** A mistake that no checker could miss: as long as it is found, the checker is awake. */
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

    /**
     * Makes a player of plans.
     *
     * @param mutant that takes the engine's place; null for the engine as it is
     */
    public static HistoryRunner runner(@Nullable Mutant mutant) {
        if (mutant == null || mutant.patch() == null) {
            return new EngineRunner(mutant == null ? UNCHANGED : mutant.assembly());
        }
        String runner = EngineRunner.class.getName();
        try {
            return (HistoryRunner) Class.forName(runner, true, new PatchedClasses(mutant.patch()))
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(runner + " could not be made", e);
        }
    }
}
