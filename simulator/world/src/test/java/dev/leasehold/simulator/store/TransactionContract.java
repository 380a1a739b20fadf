package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a transaction writes, and when it writes nothing. */
abstract class TransactionContract extends StoreContract {

    TransactionContract(ContractDeployment deployment) {
        super(deployment);
    }

    // ---- what is written ----

    @Test
    void theClockTakesTheStampAndTicksAndTheLeasesAreAsGiven() {
        ContractWriter a = writer("a");
        LeaseDocument x = a.document("x", "h", 1);
        LeaseDocument y = a.document("y", "k", 7);
        long ticks = ticks();

        a.commits(new LeaseWrite.Insert(x), new LeaseWrite.Insert(y));

        assertThat(stored("x")).isEqualTo(new StoredLease.Sound(x));
        assertThat(stored("y")).isEqualTo(new StoredLease.Sound(y));
        assertThat(entry("a"))
                .isEqualTo(new WriterEntry.Sound(
                        "a", a.stampNanos(), a.stampNanos(), null, a.store().driverSession()));
        assertThat(ticks()).isEqualTo(ticks + 1);
    }

    @Test
    void aFirstDocumentHasItsGatesAndNoPinsAndItsBeginInMilliseconds() {
        ContractWriter a = writer("a");
        LeaseDocument given = a.document("x", "h", 1);

        a.commits(new LeaseWrite.Insert(new LeaseDocument(
                given.namespace(),
                "x",
                "h",
                1,
                "a",
                given.writtenNanos(),
                given.expiryNanos(),
                5,
                "",
                Fixture.SINCE.plusNanos(9),
                Set.of("ops"),
                0,
                null)));

        assertThat(lease("x"))
                .isEqualTo(new LeaseDocument(
                        given.namespace(),
                        "x",
                        "h",
                        1,
                        "a",
                        given.writtenNanos(),
                        given.expiryNanos(),
                        5,
                        "",
                        Fixture.SINCE,
                        Set.of(),
                        0,
                        null));
    }

    @Test
    void aReplacementIsAsGivenButForGatesAndPinsWhichStay() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x")).commits(a.pin("x", "ops", true));
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));
        caller.commits();
        LeaseWrite.Replace vacate = a.vacate("x");

        a.commits(vacate);

        LeaseDocument given = vacate.document();
        assertThat(lease("x"))
                .isEqualTo(new LeaseDocument(
                        given.namespace(),
                        "x",
                        null,
                        1,
                        "a",
                        given.writtenNanos(),
                        null,
                        1,
                        null,
                        given.since(),
                        Set.of("ops"),
                        0,
                        null));
    }

    @Test
    void aPinKeepsTheWriterAndItsStamp() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        LeaseDocument before = lease("x");

        a.commits(a.pin("x", "ops", true)).commits(a.pin("x", "audit", true)).commits(a.pin("x", "ops", true));

        assertThat(lease("x").guard()).isEqualTo(before.guard());
        assertThat(lease("x").pins()).containsExactlyInAnyOrder("ops", "audit");
        a.commits(a.pin("x", "ops", false));
        assertThat(lease("x").pins()).containsExactly("audit");
        a.commits(a.pin("x", "audit", false));
        assertThat(lease("x")).isEqualTo(before);
        a.commits(a.take("x", "h2"));
    }

    @Test
    void aRemovalRaisesTheTokenFloorAndNeverLowersIt() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("y"));
        long floor = clock().tokenFloor();

        assertThat(a.commit(a.clock(null, Set.of(), Map.of(), floor + 41), a.remove("x")))
                .isEqualTo(WriteOutcome.APPLIED);
        assertThat(clock().tokenFloor()).isEqualTo(floor + 41);
        assertThat(isThere("x")).isFalse();

        assertThat(a.commit(a.clock(null, Set.of(), Map.of(), floor + 5), a.remove("y")))
                .isEqualTo(WriteOutcome.APPLIED);
        assertThat(clock().tokenFloor()).isEqualTo(floor + 41);
        assertThat(isThere("y")).isFalse();
    }

    @Test
    void overdueWritersAreRemovedInTheSameStep() {
        ContractWriter a = writer("a");
        writerWithSession("v");
        writerWithSession("w");

        ClockStatement evicting = a.clock(null, Set.of(), Map.of("v", Fixture.Z, "w", Fixture.Z), null);

        assertThat(a.commit(evicting, a.insert("x"))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(a.store().survey().writers()).extracting(WriterEntry::writer).containsExactly("a");
    }

    @Test
    void anEvictionInATransactionRestsOnTheTimeAlone() {
        ContractWriter a = writer("a");
        writer("v");

        assertThat(a.commit(a.clock(null, Set.of("w"), Map.of("v", Fixture.Z), null)))
                .isEqualTo(WriteOutcome.APPLIED);

        assertThat(entry("v")).isNull();
    }

    // ---- guards ----

    /** A transaction that also inserts {@code other}, and rests on something that is not so. */
    enum WrongGuard {
        STAMP_NOT_NEW(a -> new ClockStatement("a", Fixture.Z, a.stampNanos(), null, Set.of(), Map.of(), null)),
        ENTRY_OLDER_THAN_ACKNOWLEDGED(
                a -> new ClockStatement("a", a.stampNanos() + 1, a.stampNanos() + 2, null, Set.of(), Map.of(), null)),
        NO_ENTRY(a -> new ClockStatement("stranger", Fixture.Z, Fixture.Z + 1, null, Set.of(), Map.of(), null)),
        OTHER_TOKEN_FLOOR(a -> a.clock(1L, Set.of(), Map.of(), null)),
        WRITER_NOT_ABSENT(a -> a.clock(null, Set.of("absent", "v"), Map.of(), null)),
        EVICTED_WRITER_WITH_ANOTHER_TIME(a -> a.clock(null, Set.of(), Map.of("v", Fixture.Z - 1), null)),
        EVICTED_WRITER_WITHOUT_AN_ENTRY(a -> a.clock(null, Set.of(), Map.of("absent", Fixture.Z), null));

        private final Function<ContractWriter, ClockStatement> statement;

        WrongGuard(Function<ContractWriter, ClockStatement> statement) {
            this.statement = statement;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStatementOfTheClockThatDoesNotFindWhatItRestsOnWritesNothing(WrongGuard wrong) {
        ContractWriter a = writer("a").commits();
        ContractWriter v = writer("v");
        ClockDocument before = clock();

        assertThat(a.commit(wrong.statement.apply(a), a.insert("other"))).isEqualTo(WriteOutcome.MISSED);

        assertThat(clock()).isEqualTo(before);
        assertThat(isThere("other")).isFalse();
        assertThatTheClockIsFreeFor(v);
    }

    /** Of a lease {@code x} that is there and pinned. */
    enum WrongLease {
        REPLACED_SINCE(a -> a.stale("x")),
        REPLACED_AND_ABSENT(a -> a.stale("nowhere")),
        TAKEN_THOUGH_PINNED(a -> a.take("x", "h2")),
        INSERTED_AND_THERE(a -> a.insert("x")),
        REMOVED_SINCE(a -> new LeaseWrite.Remove("free", a.staleGuard(), 0)),
        REMOVED_THOUGH_PINNED(a -> a.remove("x")),
        PINNED_SINCE(a -> new LeaseWrite.Pin("x", a.staleGuard(), "audit", true));

        private final Function<ContractWriter, LeaseWrite> write;

        WrongLease(Function<ContractWriter, LeaseWrite> write) {
            this.write = write;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriteOfALeaseThatDoesNotFindWhatItRestsOnTakesTheWholeTransactionAlong(WrongLease wrong) {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("free")).commits(a.pin("x", "ops", true));
        ContractWriter b = writer("b");
        StoredLease before = stored("x");
        ClockDocument clock = clock();
        LeaseWrite write = wrong.write.apply(a);

        assertThat(a.commit(a.insert("first"), write, a.insert("last"))).isEqualTo(WriteOutcome.MISSED);
        assertThat(a.commitApart(a.insert("first"), write, a.insert("last"))).isEqualTo(WriteOutcome.MISSED);

        assertThat(stored("x")).isEqualTo(before);
        assertThat(isThere("first") || isThere("last")).isFalse();
        assertThat(isThere("free")).isTrue();
        assertThat(clock()).isEqualTo(clock);
        assertThatTheClockIsFreeFor(b);
        a.commits(a.insert("first"));
    }

    @Test
    void aVacantLeaseKeepsTheExpiryOfItsWriteUntilTheNextOne() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        LeaseWrite.Replace keepFree = a.keepFree("x");

        a.commits(keepFree);
        assertThat(stored("x")).isEqualTo(new StoredLease.Sound(keepFree.document()));
        assertThat(lease("x").isKeptFree()).isTrue();

        LeaseWrite.Replace take = a.take("x", "h2");
        a.commits(take);
        assertThat(stored("x")).isEqualTo(new StoredLease.Sound(take.document()));
        a.commits(a.vacate("x"));
        assertThat(lease("x").isVacant()).isTrue();
        assertThat(lease("x").expiryNanos()).isNull();
    }

    @Test
    void thePinnedLeaseOfAHolderMayBeWrittenForItself() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x")).commits(a.pin("x", "ops", true));

        a.commits(a.extend("x")).commits(a.vacate("x"));

        assertThat(lease("x").isVacant()).isTrue();
        assertThat(lease("x").pins()).containsExactly("ops");
    }

    // ---- before the commit ----

    @Test
    void aWithheldCommitLeavesNothing() {
        ContractWriter a = writer("a");
        ContractWriter b = writer("b");
        ClockDocument before = clock();
        AtomicInteger asked = new AtomicInteger();

        WriteOutcome outcome = a.commit(
                new GuardedTransaction(a.clock(), List.of(a.insert("x")), false), () -> asked.incrementAndGet() > 1);

        assertThat(outcome).isEqualTo(WriteOutcome.WITHHELD);
        assertThat(asked).hasValue(1);
        assertThat(isThere("x")).isFalse();
        assertThat(clock()).isEqualTo(before);
        assertThatTheClockIsFreeFor(b);
    }

    @Test
    void noServerIsAskedToCommitWhatMissed() {
        ContractWriter a = writer("a");

        WriteOutcome outcome = a.commitAfter(
                () -> {
                    throw new AssertionError("asked");
                },
                a.stale("x"));

        assertThat(outcome).isEqualTo(WriteOutcome.MISSED);
    }

    @Test
    void noReadSeesATransactionBeforeItsCommit() {
        ContractWriter a = writer("a");
        ClockDocument before = clock();

        WriteOutcome outcome = a.commitAfter(
                () -> {
                    assertThat(isThere("x")).isFalse();
                    assertThat(deployment.newestToken("x")).isNull();
                    assertThat(clock()).isEqualTo(before);
                },
                a.insert("x"));

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
        assertThat(isThere("x")).isTrue();
    }

    // ---- conflicts ----

    @Test
    @DisplayName("TX-10: the second transaction of a namespace fails at once, and can be tried again")
    void theSecondTransactionOfANamespaceFailsAtOnceAndCanBeTriedAgain() {
        ContractWriter a = writer("a");
        ContractWriter b = writer("b");

        WriteOutcome first = a.commitAfter(
                () -> {
                    WriteOutcome second = b.commit(b.insert("y"));
                    assertThat(second.verdict()).isEqualTo(Verdict.CONFLICT);
                    assertThat(second.cause()).isInstanceOf(LeaseContentionException.class);
                    assertThat(b.commitApart(b.insert("y")).verdict())
                            .as("the clock is not free")
                            .isEqualTo(Verdict.CONFLICT);
                },
                a.insert("x"));

        assertThat(first).as("the first writer wins").isEqualTo(WriteOutcome.APPLIED);
        assertThat(isThere("y")).isFalse();
        b.commits(b.insert("y"));
    }

    @Test
    void aTransactionThatConflictedHoldsNothing() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("y"));
        ContractWriter b = writer("b");
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("y"));

        assertThat(a.commit(a.extend("x"), a.extend("y")).verdict()).isEqualTo(Verdict.CONFLICT);

        b.commits(b.extend("x"));
        caller.commits();
    }

    @Test
    void withTheClockApartAConflictSaysWhetherItIsAboutALease() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));

        assertThat(a.commit(a.insert("y"), a.extend("x")).verdict()).isEqualTo(Verdict.CONFLICT);
        WriteOutcome apart = a.commitApart(a.insert("y"), a.extend("x"));

        assertThat(apart.verdict()).isEqualTo(Verdict.LEASE_CONFLICT);
        assertThat(apart.cause()).isInstanceOf(LeaseContentionException.class);
        assertThat(isThere("y")).isFalse();
        caller.commits();
        assertThat(a.commitApart(a.insert("y"), a.extend("x"))).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void aGuardThatMissedComesBeforeAConflictFurtherOn() {
        ContractWriter a = writer("a").commits();
        a.commits(a.insert("x"));
        ClockStatement ghost = new ClockStatement("a", Fixture.Z, Fixture.Z + 1, null, Set.of(), Map.of(), null);
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));
        GuardedTransaction apart = new GuardedTransaction(ghost, List.of(a.extend("x")), true);

        assertThat(a.commit(apart, () -> true)).isEqualTo(WriteOutcome.MISSED);
        caller.commits();
    }

    @Test
    void withTheClockInTheSameCommandAConflictFurtherOnHidesAGuardThatMissed() {
        ContractWriter a = writer("a").commits();
        a.commits(a.insert("x"));
        ClockStatement ghost = new ClockStatement("a", Fixture.Z, Fixture.Z + 1, null, Set.of(), Map.of(), null);
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));

        assertThat(a.commit(ghost, a.extend("x")).verdict())
                .as("a miss stops nothing")
                .isEqualTo(Verdict.CONFLICT);
        caller.commits();
    }

    @Test
    void whatDoesNotFindItsLeaseConflictsWithNothingAboutIt() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));

        assertThat(a.commit(a.stale("x"))).isEqualTo(WriteOutcome.MISSED);
        caller.commits();
    }

    @Test
    void aPinThatIsThereAlreadyConflictsWithNothing() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x")).commits(a.pin("x", "ops", true));
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));

        assertThat(a.commit(a.pin("x", "ops", true))).as("it changes no byte").isEqualTo(WriteOutcome.APPLIED);
        assertThat(a.commit(a.pin("x", "audit", true)).verdict()).isEqualTo(Verdict.CONFLICT);

        caller.commits();
    }

    @Test
    void transactionsThatFollowEachOtherNeverConflict() {
        ContractWriter a = writer("a");
        ContractWriter b = writer("b");
        a.commits(a.insert("x"));

        for (int run = 0; run < 20; run++) {
            a.commits(a.extend("x"));
            b.commits(b.extend("x"));
        }

        assertThat(lease("x").writer()).isEqualTo("b");
    }
}
