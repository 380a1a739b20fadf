package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.NOON;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SINCE;
import static dev.leasehold.engine.internal.rules.Fixture.STALLED;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.published;
import static dev.leasehold.engine.internal.rules.Fixture.queue;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Waiter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a release to a waiter writes, field by field, under which guard, and what it answers. */
class GrantedDocumentTest {

    private static final LeaseGuard AS_SEEN = new LeaseGuard(ME, Z, 3);
    private static final LeaseWrite.Withdraw CLOSED = new LeaseWrite.Withdraw(NAME, ME, Set.of(11L, 12L));

    @Test
    @DisplayName("Q-01: a grant begins the next tenure for the ticket, under its writer and stamp, and ends one's own")
    void grantBeginsTheTenureOfTheTicket() {
        Decision.Write write = release("own session", 0, ticket(0), null);

        assertThat(write.write())
                .isEqualTo(new LeaseWrite.Replace(
                        AS_SEEN, begun(OTHER, 17, "h2", "b run", "10.0.0.7:80", 0), true, 0, CLOSED));
        assertThat(write.tenure()).as("the tenure that ended").isEqualTo(tenure("h", 3));
        assertThat(write.basis()).as("this engine holds nothing").isNull();
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnTheLeaseAlone());
    }

    @Test
    @DisplayName(
            "Q-04: the next tenure for a waiter of this engine is kept by its session, under the stamp of this write")
    void ownWaiterGetsTheNextTenure() {
        Decision.Write write = release("own session", 0, null, waiter(0));

        assertThat(write.write())
                .isEqualTo(new LeaseWrite.Replace(
                        AS_SEEN, begun(ME, Z + 2, "h3", "c run", "10.0.0.8:80", 0), true, 0, CLOSED));
        assertThat(write.tenure()).isEqualTo(tenure("h3", 4));
        assertThat(write.basis()).isEqualTo(new HoldBasis.Session());
        assertThat(write.dependency()).isEqualTo(new WriteDependency.OnTheLeaseAlone());
    }

    @ParameterizedTest(name = "queue read: {0}")
    @DisplayName("Without a waiter the closed tickets are taken out all the same, and a pin does not keep the holder")
    @CsvSource({"true", "false"})
    void withoutAWaiterTheLeaseBecomesVacant(boolean read) {
        Decision.Write write = release("own session", 0, read ? queue(Z) : null, List.of());

        assertThat(write.write())
                .isEqualTo(new LeaseWrite.Replace(
                        AS_SEEN,
                        new LeaseDocument(NAMESPACE, NAME, null, 3, ME, Z + 2, null, 7, null, SINCE, Set.of(), 0, null),
                        false,
                        0,
                        CLOSED));
        assertThat(write.tenure()).isEqualTo(tenure("h", 3));
        assertThat(write.basis()).isNull();
    }

    @Test
    void withoutClosedTicketsNothingIsTakenOut() {
        HandOver handOver = new HandOver(false, List.of(), null, null);

        assertThat(replace(decide("own session", 0, queue(Z, ticket(0)), handOver))
                        .withdrawn())
                .isNull();
    }

    @ParameterizedTest(name = "{0} with {1} stripes, {2} asked for")
    @DisplayName("Q-21: with stripes of the lease or the ticket all are written, the greater number, in a transaction")
    @CsvSource({
        "own session, 0, 8, 8, OnOwnEntry",
        "own session, 4, 0, 4, OnOwnEntry",
        "own session, 4, 8, 8, OnOwnEntry",
        "own session, 8, 4, 8, OnOwnEntry",
        "own session, 0, 0, 0, OnTheLeaseAlone",
        "own held, 0, 0, 0, OnOwnEntry",
        "foreign held, 0, 0, 0, OnOwnEntry",
        "foreign held, 4, 0, 4, OnOwnEntry"
    })
    void stripesAndTermsMakeItATransaction(String lease, int there, int asked, int then, String dependency) {
        for (Decision.Write write :
                List.of(release(lease, there, ticket(asked), null), release(lease, there, null, waiter(asked)))) {
            assertThat(List.of(write.stripes(), write.write().stripes())).containsOnly(then);
            assertThat(write.dependency().getClass().getSimpleName()).isEqualTo(dependency);
        }
    }

    private static Waiter ticket(int stripes) {
        return new Waiter(OTHER, 17, "h2", 0, "b run", stripes, "10.0.0.7:80");
    }

    private static Request.Acquire waiter(int stripes) {
        return new Request.Acquire(NAME, "h3", null, "c run", stripes, false, 0, 0, 0, "10.0.0.8:80", 0, null);
    }

    private static LeaseDocument begun(
            String writer, long writtenNanos, String holder, String comment, String payload, int stripes) {
        return new LeaseDocument(
                NAMESPACE, NAME, holder, 4, writer, writtenNanos, null, 0, comment, NOON, Set.of(), stripes, payload);
    }

    private static Decision.Write release(
            String lease, int stripes, @Nullable Waiter ticket, Request.@Nullable Acquire own) {
        return release(
                lease, stripes, ticket == null ? queue(Z) : queue(Z, ticket), own == null ? List.of() : List.of(own));
    }

    private static Decision.Write release(
            String lease, int stripes, @Nullable WaitQueue queue, List<Request.Acquire> own) {
        Request.Withdraw closed = new Request.Withdraw(NAME, ME, CLOSED.stampsNanos());
        return decide(lease, stripes, queue, new HandOver(false, own, null, closed));
    }

    private static Decision.Write decide(String lease, int stripes, @Nullable WaitQueue queue, HandOver handOver) {
        Lease held = published(Fixture.lease(lease, Z + 60), stripes, "10.0.0.6:80");
        Decision decision = LeaseRules.decide(
                new Request.Release(tenure("h", 3), null, false, handOver),
                held,
                STALLED,
                new LocalKnowledge(null, true, true, queue));
        assertThat(decision).isInstanceOf(Decision.Write.class);
        return (Decision.Write) decision;
    }

    private static LeaseWrite.Replace replace(Decision.Write write) {
        return (LeaseWrite.Replace) write.write();
    }
}
