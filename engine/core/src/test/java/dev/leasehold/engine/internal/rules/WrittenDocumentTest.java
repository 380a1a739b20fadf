package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.PINS;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.SESSION_SEEN;
import static dev.leasehold.engine.internal.rules.Fixture.SINCE;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.foreign;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.keptBySession;
import static dev.leasehold.engine.internal.rules.Fixture.orphaned;
import static dev.leasehold.engine.internal.rules.Fixture.own;
import static dev.leasehold.engine.internal.rules.Fixture.pinned;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static dev.leasehold.engine.internal.rules.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.time.Validity;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a yes writes, field by field, under which guard, and what it answers. */
class WrittenDocumentTest {

    private static final long EXPIRY = Z + 60 * SECOND;
    private static final long AFTER = EXPIRY + 1;
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123456789Z");
    private static final Instant NOON_AS_STORED = Instant.parse("2026-01-01T12:00:00.123Z");

    @Test
    @DisplayName("OP-1, OP-18: the first document of a name takes its token from the floor, which it then rests on")
    void firstClaimInsertsTheDocument() {
        Decision.Write write =
                write(new Request.Claim(NAME, "h", 60 * SECOND, "a run"), new ObservedLease.Nothing(NAME), late(Z));

        assertThat(write.write())
                .isEqualTo(new LeaseWrite.Insert(new LeaseDocument(
                        NAMESPACE,
                        NAME,
                        "h",
                        42,
                        ME,
                        Z + 2,
                        EXPIRY + 2,
                        0,
                        "a run",
                        NOON_AS_STORED,
                        Set.of(),
                        0,
                        null)));
        assertThat(write.tenure()).isEqualTo(tenure("h", 42));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnTokenFloor());
    }

    @Test
    @DisplayName("OP-15: a claim of a vacant lease begins the next tenure")
    void claimOfAVacantLeaseReplacesIt() {
        Decision.Write write =
                write(new Request.Claim(NAME, "h2", 30 * SECOND, "b run"), foreign(vacant(OTHER, 17), 99), late(Z));

        assertThat(write.write())
                .isEqualTo(replace(OTHER, 17, "h2", 4, Z + 2, Z + 30 * SECOND + 2, "b run", NOON_AS_STORED, 0, true));
        assertThat(write.tenure()).isEqualTo(tenure("h2", 4));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
    }

    @Test
    @DisplayName("CO-9: a claim of an orphaned session lease rests on its writer being absent")
    void claimOfAnOrphanedLeaseRestsOnTheAbsentWriter() {
        Decision.Write write = write(new Request.Claim(NAME, "h2", 30 * SECOND, null), orphaned(), late(Z));

        assertThat(write.write())
                .isEqualTo(replace(OTHER, 17, "h2", 4, Z + 2, Z + 30 * SECOND + 2, null, NOON_AS_STORED, 0, true));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnAbsentWriter(OTHER));
    }

    @Test
    @DisplayName("SE-2: the first session lease of a name has no expiry, and it is valid by the session")
    void firstSessionLeaseHasNoExpiry() {
        Decision.Write write = write(session("h"), new ObservedLease.Nothing(NAME), late(Z));

        assertThat(write.write())
                .isEqualTo(new LeaseWrite.Insert(new LeaseDocument(
                        NAMESPACE, NAME, "h", 42, ME, Z + 2, null, 0, "a run", NOON_AS_STORED, Set.of(), 0, null)));
        assertThat(write.tenure()).isEqualTo(tenure("h", 42));
        assertThat(write.basis()).isEqualTo(new HoldBasis.Session());
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnTokenFloor());
    }

    @Test
    void vacantLeaseIsTakenBySessionInAWriteOfItsOwn() {
        Decision.Write write = write(session("h2"), foreign(vacant(OTHER, 17), 99), late(Z));

        assertThat(write.write()).isEqualTo(replace(OTHER, 17, "h2", 4, Z + 2, null, "a run", NOON_AS_STORED, 0, true));
        assertThat(write.tenure()).isEqualTo(tenure("h2", 4));
        assertThat(write.basis()).isEqualTo(new HoldBasis.Session());
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnTheLeaseAlone());
    }

    @Test
    void acquisitionForATermWritesWhatAClaimWrites() {
        Decision.Write claim =
                write(new Request.Claim(NAME, "h2", 30 * SECOND, "b run"), foreign(vacant(OTHER, 17), 99), late(Z));
        Decision.Write acquisition =
                write(new Request.Acquire(NAME, "h2", 30 * SECOND, "b run"), foreign(vacant(OTHER, 17), 99), late(Z));

        assertThat(acquisition).isEqualTo(claim);
    }

    @Test
    @DisplayName("SE-10: what is taken from an overdue session rests on the time from which it was counted")
    void overdueSessionIsEndedByTheWriteThatTakesItsLease() {
        Decision.Write write = write(session("h2"), keptBySession(EXPIRY), late(AFTER));

        assertThat(write.write())
                .isEqualTo(replace(OTHER, 17, "h2", 4, AFTER + 2, null, "a run", NOON_AS_STORED, 0, true));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnEviction(OTHER, SESSION_SEEN));
    }

    @Test
    void expireOfAnOverdueSessionLeaseEvictsItsWriter() {
        Decision.Write write = write(new Request.Expire(NAME), keptBySession(EXPIRY), late(AFTER));

        assertThat(write.write()).isEqualTo(replace(OTHER, 17, null, 3, AFTER + 2, null, null, SINCE, 7, true));
        assertThat(write.tenure()).isEqualTo(tenure("h", 3));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnEviction(OTHER, SESSION_SEEN));
    }

    @Test
    void sessionLeaseIsReleasedInAWriteOfItsOwn() {
        Decision.Write write = write(new Request.Release(tenure("h", 3)), own(held(ME, Z, null), EXPIRY), late(Z));

        assertThat(write.write()).isEqualTo(replace(ME, Z, null, 3, Z + 2, null, null, SINCE, 7, false));
        assertThat(write.tenure()).isEqualTo(tenure("h", 3));
        assertThat(write.basis()).isNull();
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnTheLeaseAlone());
    }

    @Test
    void forcedEndMovesTheTokenAndKeepsTheReason() {
        Decision.Write write =
                write(new Request.ForceExpire(NAME, "it hangs"), foreign(held(OTHER, 17, 99L), EXPIRY), late(Z));

        assertThat(write.write()).isEqualTo(replace(OTHER, 17, null, 4, Z + 2, null, "it hangs", SINCE, 7, false));
        assertThat(write.tenure()).as("the tenure that ended").isEqualTo(tenure("h", 3));
        assertThat(write.basis()).isNull();
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("A session lease is ended by force without evicting any writer: its writer keeps the others")
    @ValueSource(strings = {"own session", "foreign session", "endless session", "pinned foreign session"})
    void forcedEndOfASessionLeaseRestsOnOnesOwnEntry(String lease) {
        Decision.Write write = write(new Request.ForceExpire(NAME, "it hangs"), Fixture.lease(lease, EXPIRY), late(Z));

        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
        assertThat(((LeaseWrite.Replace) write.write()).unlessPinned()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pinIsGuardedByTheDocumentAndAnswersNoTenure(boolean pinned) {
        Decision.Write write =
                write(new Request.Pin(NAME, "ops", pinned), foreign(held(OTHER, 17, 99L), EXPIRY), late(Z));

        assertThat(write.write()).isEqualTo(new LeaseWrite.Pin(NAME, new LeaseGuard(OTHER, 17, 3), "ops", pinned));
        assertThat(write.tenure()).isNull();
        assertThat(write.basis()).isNull();
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
    }

    @Test
    @DisplayName("Pins outlive the tenures, in the database and in the view that takes in what was written")
    void pinsAreCarriedOn() {
        Lease lease = pinned(own(held(ME, Z, EXPIRY), EXPIRY));

        assertThat(pinsAfter(new Request.Extend(tenure("h", 3), 90 * SECOND), lease))
                .isEqualTo(PINS);
        assertThat(pinsAfter(new Request.Release(tenure("h", 3)), lease)).isEqualTo(PINS);
        assertThat(pinsAfter(new Request.ForceExpire(NAME, "it hangs"), lease)).isEqualTo(PINS);
    }

    private static Set<String> pinsAfter(Request request, Lease lease) {
        return ((LeaseWrite.Replace) write(request, lease, late(Z)).write())
                .document()
                .pins();
    }

    private static Request session(String holder) {
        return new Request.Acquire(NAME, holder, null, "a run");
    }

    @Test
    @DisplayName("OP-12: a take-over ends one tenure and begins the next in one write")
    void takeOverReplacesHolderTokenAndTerm() {
        Decision.Write write = write(
                new Request.TakeOver(NAME, "h2", 30 * SECOND, "b run"), own(held(ME, Z, EXPIRY), EXPIRY), late(AFTER));

        assertThat(write.write())
                .isEqualTo(
                        replace(ME, Z, "h2", 4, AFTER + 2, AFTER + 2 + 30 * SECOND, "b run", NOON_AS_STORED, 0, true));
        assertThat(write.tenure()).isEqualTo(tenure("h2", 4));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
    }

    @Test
    @DisplayName("OP-13: the same holder takes over under a new token")
    void takeOverBySameHolderBeginsANewTenure() {
        Decision.Write write =
                write(new Request.TakeOver(NAME, "h", 30 * SECOND, null), own(held(ME, Z, EXPIRY), EXPIRY), at(AFTER));

        assertThat(write.tenure()).isEqualTo(tenure("h", 4));
    }

    @Test
    @DisplayName("OP-11: expire leaves the document vacant with its token")
    void expireLeavesTheDocumentVacant() {
        Decision.Write write = write(new Request.Expire(NAME), own(held(ME, Z, EXPIRY), EXPIRY), late(AFTER));

        assertThat(write.write()).isEqualTo(replace(ME, Z, null, 3, AFTER + 2, null, null, SINCE, 7, true));
        assertThat(write.tenure()).isEqualTo(tenure("h", 3));
    }

    @Test
    @DisplayName("OP-16: release leaves the document vacant with its token, whichever engine wrote it last")
    void releaseLeavesTheDocumentVacant() {
        Decision.Write write =
                write(new Request.Release(tenure("h", 3)), foreign(held(OTHER, 17, 99L), EXPIRY), late(Z));

        assertThat(write.write()).isEqualTo(replace(OTHER, 17, null, 3, Z + 2, null, null, SINCE, 7, false));
        assertThat(write.tenure()).isEqualTo(tenure("h", 3));
    }

    @Test
    @DisplayName("A release that is to keep the lease free says until when on the writer's clock, if that is to come")
    void releaseSaysUntilWhenTheLeaseIsKeptFree() {
        Lease mine = own(held(ME, Z, null), EXPIRY);
        Request.Release yetToCome = new Request.Release(tenure("h", 3), EXPIRY, false, null);
        Request.Release past = new Request.Release(tenure("h", 3), Z + 2, false, null);

        Decision.Write write = write(yetToCome, mine, late(Z));

        assertThat(write.write()).isEqualTo(replace(ME, Z, null, 3, Z + 2, EXPIRY, null, SINCE, 7, false));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
        assertThat(write(past, mine, late(Z)).write())
                .as("over by the stamp of the write")
                .isEqualTo(replace(ME, Z, null, 3, Z + 2, null, null, SINCE, 7, false));
    }

    @Test
    @DisplayName("A forced expiry of what is only kept free moves the token on, and names what keeps it")
    void forcedExpiryOfAKeptFreeLease() {
        Decision.Write write =
                write(new Request.ForceExpire(NAME, "needed now"), Fixture.lease("foreign kept free", EXPIRY), late(Z));

        assertThat(write.write()).isEqualTo(replace(OTHER, Z, null, 4, Z + 2, null, "needed now", SINCE, 7, false));
        assertThat(write.tenure()).isEqualTo(tenure(OTHER, 3));
    }

    @Test
    @DisplayName("OP-6, OP-7: extend keeps tenure, comment and beginning, and counts from now")
    void extendKeepsTheTenure() {
        Decision.Write write =
                write(new Request.Extend(tenure("h", 3), 60 * SECOND), own(held(ME, Z, EXPIRY), EXPIRY), late(EXPIRY));

        assertThat(write.write())
                .isEqualTo(replace(ME, Z, "h", 3, EXPIRY + 2, Z + 120 * SECOND + 2, "nightly run", SINCE, 7, false));
        assertThat(write.tenure()).isEqualTo(tenure("h", 3));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
    }

    @Test
    void removalIsGuardedByTheDocumentAndAnswersNoTenure() {
        Decision.Write write = write(new Request.Remove(NAME), foreign(vacant(OTHER, 17), Z), at(Z + 1));

        assertThat(write.write()).isEqualTo(new LeaseWrite.Remove(NAME, new LeaseGuard(OTHER, 17, 3), 0));
        assertThat(write.tenure()).isNull();
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
    }

    @Test
    @DisplayName("A tenure is valid from the reading on, for as long as was asked; an end makes nothing valid")
    void validityCountsFromTheReadingByBothClocks() {
        ObservedLease none = new ObservedLease.Nothing(NAME);
        ObservedLease free = own(vacant(ME, Z), EXPIRY);
        ObservedLease overdue = own(held(ME, Z, EXPIRY), EXPIRY);

        assertThat(basis(new Request.Claim(NAME, "h", SECOND, null), none, Z)).isEqualTo(basisFrom(Z, SECOND));
        assertThat(basis(new Request.Claim(NAME, "h", SECOND, null), free, Z)).isEqualTo(basisFrom(Z, SECOND));
        assertThat(basis(new Request.TakeOver(NAME, "h", SECOND, null), overdue, AFTER))
                .isEqualTo(basisFrom(AFTER, SECOND));
        assertThat(basis(new Request.Extend(tenure("h", 3), SECOND), overdue, AFTER))
                .isEqualTo(basisFrom(AFTER, SECOND));
        assertThat(basis(new Request.Acquire(NAME, "h2", SECOND, null), free, Z))
                .isEqualTo(basisFrom(Z, SECOND));
        assertThat(basis(new Request.Acquire(NAME, "h", SECOND, null), overdue, AFTER))
                .isEqualTo(basisFrom(AFTER, SECOND));
        assertThat(basis(new Request.Expire(NAME), overdue, AFTER)).isNull();
        assertThat(basis(new Request.Release(tenure("h", 3)), overdue, AFTER)).isNull();
        assertThat(basis(new Request.Remove(NAME), free, AFTER)).isNull();
    }

    @Test
    @DisplayName("AS-13: every write that begins or ends a tenure of a striped lease writes all stripes")
    void everyChangeOfTenureWritesAllStripes() {
        Lease held = striped(own(held(ME, Z, EXPIRY), EXPIRY));
        Lease free = striped(own(vacant(ME, Z), Z - 1));
        List<Decision.Write> writes = List.of(
                write(new Request.Acquire(NAME, "h2", null, null, 4, false, 0, 0, 0, null, 0, null), free, late(Z)),
                write(new Request.Claim(NAME, "h2", SECOND, null), free, late(Z)),
                write(new Request.TakeOver(NAME, "h2", SECOND, null), held, late(AFTER)),
                write(new Request.Expire(NAME), held, late(AFTER)),
                write(new Request.Release(tenure("h", 3)), held, late(Z)),
                write(new Request.ForceExpire(NAME, "it hangs"), held, late(Z)),
                write(new Request.Remove(NAME), free, late(Z)),
                write(new Request.Acquire(NAME, "h2", null, null), striped(orphaned()), late(Z)));

        assertThat(writes).extracting(write -> write.write().stripes()).containsOnly(4);
    }

    @Test
    void anExtensionLeavesTheStripesAlone() {
        LeaseWrite.Replace write = (LeaseWrite.Replace) write(
                        new Request.Extend(tenure("h", 3), 90 * SECOND),
                        striped(own(held(ME, Z, EXPIRY), EXPIRY)),
                        late(Z))
                .write();

        assertThat(write.stripes()).isZero();
        assertThat(write.document().stripes()).as("they are still there").isEqualTo(4);
    }

    @ParameterizedTest
    @DisplayName(
            "A tenure begins with as many stripes as there are, or more; the first one with as many as are asked for")
    @CsvSource({"0, 4, 4", "3, 4, 4", "5, 4, 5", "64, 4, 64", "0, 0, 0", "7, 0, 7"})
    void stripesAreNeverFewerThanBefore(int asked, int there, int then) {
        Request acquire = new Request.Acquire(NAME, "h2", null, null, asked, false, 0, 0, 0, null, 0, null);
        Decision.Write next = write(acquire, striped(own(vacant(ME, Z), Z - 1), there), late(Z));
        Decision.Write first = write(acquire, new ObservedLease.Nothing(NAME), late(Z));

        assertThat(List.of(next.stripes(), next.write().stripes())).containsOnly(then);
        assertThat(List.of(first.stripes(), first.write().stripes())).containsOnly(asked);
    }

    @Test
    void whatLeavesNoTenureBehindHasNoStripesToTell() {
        Lease free = striped(own(vacant(ME, Z), Z - 1));

        assertThat(write(new Request.Remove(NAME), free, late(Z)).stripes()).isZero();
        assertThat(write(new Request.Pin(NAME, "ops", true), free, late(Z)).stripes())
                .isZero();
    }

    @Test
    @DisplayName("A session lease with stripes is never written without the clock: they must change together")
    void sessionLeaseWithStripesIsWrittenInATransaction() {
        Lease free = striped(foreign(vacant(OTHER, 17), 99));
        Lease mine = striped(own(held(ME, Z, null), EXPIRY));

        assertThat(write(session("h2"), free, late(Z)).dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
        assertThat(write(new Request.Release(tenure("h", 3)), mine, late(Z)).dependency())
                .isEqualTo(new WriteDependency.OnOwnEntry());
        assertThat(write(
                                new Request.Acquire(NAME, "h2", null, null, 1, false, 0, 0, 0, null, 0, null),
                                foreign(vacant(OTHER, 17), 99),
                                late(Z))
                        .dependency())
                .as("the first stripes of a lease that had none")
                .isEqualTo(new WriteDependency.OnOwnEntry());
    }

    @Test
    @DisplayName("What a living session keeps is superseded without its writer's entry, and with all stripes")
    void supersededSessionLeaseLeavesTheSessionAlone() {
        Request back = new Request.Acquire(NAME, "h", 30 * SECOND, "back again", 0, true, 0, 0, 0, null, 0, null);

        Decision.Write write = write(back, striped(Fixture.keptBySession(Long.MAX_VALUE)), late(Z));

        assertThat(write.tenure()).isEqualTo(tenure("h", 4));
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnOwnEntry());
        assertThat(write.write()).isInstanceOfSatisfying(LeaseWrite.Replace.class, replace -> {
            assertThat(replace.guard()).isEqualTo(new LeaseGuard(OTHER, 17, 3));
            assertThat(replace.unlessPinned()).isTrue();
            assertThat(replace.stripes()).isEqualTo(4);
            assertThat(replace.document().comment()).isEqualTo("back again");
        });
    }

    private static Lease striped(Lease lease) {
        return striped(lease, 4);
    }

    private static Lease striped(Lease lease, int stripes) {
        LeaseDocument was = lease.document();
        return lease.of(new LeaseDocument(
                NAMESPACE,
                NAME,
                was.holder(),
                was.token(),
                was.writer(),
                was.writtenNanos(),
                was.expiryNanos(),
                was.gates(),
                was.comment(),
                was.since(),
                was.pins(),
                stripes,
                null));
    }

    private static @Nullable HoldBasis basis(Request request, ObservedLease observed, long nowNanos) {
        return write(request, observed, late(nowNanos)).basis();
    }

    private static HoldBasis basisFrom(long nowNanos, long durationNanos) {
        return new HoldBasis.Term(Validity.from(nowNanos, late(nowNanos).wallNanos(), durationNanos));
    }

    /** The clock stood still for two writes, and the wall shows something else altogether. */
    private static DecisionContext late(long nowNanos) {
        long wallNanos = NOON.getEpochSecond() * SECOND + NOON.getNano();
        return new DecisionContext(NAMESPACE, ME, nowNanos, nowNanos + 2, wallNanos, Fixture.TOKEN_FLOOR);
    }

    private static LeaseWrite replace(
            String seenWriter,
            long seenNanos,
            String holder,
            long token,
            long writtenNanos,
            Long expiryNanos,
            String comment,
            Instant since,
            long gates,
            boolean unlessPinned) {
        return new LeaseWrite.Replace(
                new LeaseGuard(seenWriter, seenNanos, 3),
                new LeaseDocument(
                        NAMESPACE,
                        NAME,
                        holder,
                        token,
                        ME,
                        writtenNanos,
                        expiryNanos,
                        gates,
                        comment,
                        since,
                        Set.of(),
                        0,
                        null),
                unlessPinned);
    }

    private static Decision.Write write(Request request, ObservedLease observed, DecisionContext at) {
        Decision decision = LeaseRules.decide(request, observed, at, LocalKnowledge.NOTHING);
        assertThat(decision).isInstanceOf(Decision.Write.class);
        return (Decision.Write) decision;
    }
}
