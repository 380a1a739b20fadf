package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Refusal.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A process comes back as {@code b} while the lease is still held by {@code a}, its old incarnation. */
class SupersedeIT extends WithEngines {

    private static final LeaseRequest SESSION = LeaseRequest.of("name").holder("h");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));
    private static final LeaseRequest STRIPED = SESSION.gateStripes(4);

    private final List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    static List<Arguments> kinds() {
        return List.of(
                Arguments.of("session", SESSION), Arguments.of("term", TERM), Arguments.of("with stripes", STRIPED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("It is taken at once, as a new tenure: the old assertion fails from then on, and the new one passes")
    void theLeaseIsTakenAtOnceAsANewTenure(String kind, LeaseRequest request) throws InterruptedException {
        Lease old = a.acquires(request);
        a.commitsUnder(old.assertion());

        Lease lease = b.acquires(request.supersede(true));

        assertThat(lease.holder()).isEqualTo("h");
        assertThat(lease.token()).isEqualTo(2);
        assertThat(engines.shortForm("name")).isEqualTo("h/2");
        assertThatThrownBy(() -> a.commitsUnder(old.assertion())).isInstanceOf(LeaseNotHeldException.class);
        b.commitsUnder(lease.assertion());
        lease.close();
        assertThat(engines.shortForm("name")).isEqualTo("-/2");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("An old incarnation that lives hears that its lease was taken over, and leaves the new tenure alone")
    void theOldIncarnationIsTold(String kind, LeaseRequest request) throws InterruptedException {
        Lease old = a.acquires(request);
        old.onLost(losses::add);
        listensForChanges();

        Lease lease = b.acquires(request.supersede(true));

        await().untilAsserted(() -> assertThat(losses).hasSize(1));
        assertThat(losses.get(0).reason()).isEqualTo(LeaseLoss.Reason.TAKEN_OVER);
        assertThat(old.isHeld()).isFalse();
        old.close();
        a.settles();
        assertThat(engines.shortForm("name")).isEqualTo("h/2");
        assertThat(lease.isHeld()).isTrue();
    }

    /** Which is so once something has been held for a while. */
    private void listensForChanges() {
        a.clock().advance(ofSeconds(2));
        await().until(() -> a.hooks().waitsForChanges() > 0);
    }

    @Test
    @DisplayName("A pinned lease is not taken, until it is unpinned")
    void aPinnedLeaseIsNotTaken() throws Exception {
        a.acquires(SESSION);
        a.engine().admin().pin("name", "ops");

        b.isRefused(SESSION.supersede(true), Reason.PINNED);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");

        CompletableFuture<Acquisition> waiting = b.waitsFor(SESSION.supersede(true), Duration.ofHours(1));
        a.engine().admin().unpin("name", "ops");
        assertThat(waiting.get(60, TimeUnit.SECONDS).orElseThrow().token()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "Of a transaction that asserts the old tenure and the write that supersedes it, one waits for the other")
    void aTransactionThatAssertedBeforeIsNotOvertaken() throws Exception {
        Lease old = a.acquires(SESSION);
        CompletableFuture<Lease> lease;
        try (ClientSession session = a.client().startSession()) {
            session.startTransaction();
            old.assertion().check(session);
            lease = b.engine()
                    .acquireAsync(SESSION.supersede(true).waitAtMost(Duration.ofSeconds(5)))
                    .toCompletableFuture();
            await().until(() -> !b.hooks().transactions().isEmpty());
            assertThat(lease).isNotDone();
            session.commitTransaction();
        }

        assertThat(lease.get(60, TimeUnit.SECONDS).token()).isEqualTo(2);
    }
}
