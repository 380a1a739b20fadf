package dev.leasehold.engine;

import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Hooks.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Leases that live as long as the session of their writer: {@code a} has a session of 30 s and sends a heartbeat every 10 s.
 * {@code b} looks on, with a clock of its own that begins where that of {@code a} does. Both look at the writers before
 * anything is written, and then once in ten seconds of their clocks.
 */
class SessionsIT extends WithEngines {

    private static final long SECOND = 1_000_000_000L;
    private static final Duration SESSION = ofSeconds(30);
    private static final Duration PERIOD = ofSeconds(10);
    private static final List<String> NAMES = List.of("l1", "l2", "l3");

    private TestEngine a;
    private TestEngine b;
    private final List<Lease> leases = new ArrayList<>();

    @BeforeEach
    void startBoth() {
        engines.lookingByTheirClocks();
        a = engines.start("a");
        b = engines.start("b");
    }

    private void aHoldsThree() throws InterruptedException {
        for (String name : NAMES) {
            leases.add(a.acquires(LeaseRequest.of(name).holder("h")));
        }
        a.hooks().forgetCommands();
    }

    private List<BsonDocument> documents() {
        return NAMES.stream().map(engines::leaseDocument).toList();
    }

    @Test
    @DisplayName("HA-19: a callback that blocks delays no renewal of others")
    void aCallbackThatBlocksDelaysNoRenewal() throws Exception {
        aHoldsThree();
        CompletableFuture<Void> blocks = new CompletableFuture<>();
        CompletableFuture<Void> mayGoOn = new CompletableFuture<>();
        leases.get(0).onLost(loss -> {
            blocks.complete(null);
            mayGoOn.join();
        });
        a.releases(leases.get(0).tenure());
        blocks.get(1, TimeUnit.MINUTES);

        a.clock().advance(PERIOD);
        a.heartbeats();

        assertThat(leases.subList(1, 3)).extracting(Lease::remaining).containsOnly(SESSION);
        mayGoOn.complete(null);
    }

    @Test
    @DisplayName("ST-1: what a dead engine left open is ended before its entry is gone, by which it is known")
    void whatTheEvictedLeftOpenIsEnded() throws InterruptedException {
        a.acquires("l1");
        b.claims("l2", "b", ofSeconds(60));
        b.sees("l1");
        b.clock().advance(PERIOD.multipliedBy(10));
        String writer = a.writer();
        try (ForeignTransaction left =
                ForeignTransaction.on(engines, Engines.NAMESPACE + "#l2").ofSessionOf(engines, writer)) {
            b.acquires("l1");

            assertThat(engines.writers()).doesNotContain(writer);
            assertThatExceptionOfType(MongoException.class).isThrownBy(left::commits);
        }
        assertThat(engines.leaseDocument("l2")).doesNotContainKey("touched");
    }

    private void theSessionOfAIsOverForB() throws InterruptedException {
        aHoldsThree();
        b.engine().housekeeping();
        b.engine().refresh(NAMES);
        b.clock().advance(SESSION.plusNanos(1));
        b.hooks().forgetCommands();
    }

    @Test
    @DisplayName("SE-9: evicting and taking one of the leases is one transaction; the others stay as they were, and are"
            + " free")
    void evictingAndTakingIsOneTransaction() throws InterruptedException {
        theSessionOfAIsOverForB();
        List<BsonDocument> before = documents();
        String evicted = a.writer();

        Lease taken = b.acquires("l1");

        assertThat(taken.token()).isEqualTo(2);
        assertThat(b.hooks().transactions()).hasSize(1);
        assertThat(engines.writers()).doesNotContain(evicted);
        assertThat(documents().subList(1, 3)).isEqualTo(before.subList(1, 3));
        assertThat(b.engine().refresh(List.of("l2", "l3")))
                .extracting(LeaseState::status)
                .containsOnly(LeaseStatus.FREE);
    }

    @Test
    @DisplayName("SE-10: a heartbeat between the decision and the eviction keeps the session")
    void aHeartbeatInBetweenKeepsTheSession() throws InterruptedException {
        theSessionOfAIsOverForB();
        b.hooks().once(Point.BEFORE_UPDATE, () -> {
            a.clock().advance(PERIOD);
            a.heartbeats();
        });

        Refusal refusal = b.isRefused("l1", Refusal.Reason.HELD);

        assertThat(TestEngine.latestNanos(refusal.state())).isEqualTo(Z + 60 * SECOND + 1);
        assertThat(b.hooks().commands("commitTransaction")).isEmpty();
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    @DisplayName("SE-13: the assertion of an evicted tenure fails once the lease was claimed again")
    void theAssertionOfAnEvictedTenureFails() throws InterruptedException {
        theSessionOfAIsOverForB();
        b.acquires(LeaseRequest.of("l1").holder("h2"));

        assertThatThrownBy(() -> a.commitsUnder(leases.get(0).assertion())).isInstanceOf(LeaseNotHeldException.class);

        a.commitsUnder(leases.get(1).assertion());
        assertThat(engines.reports().countDocuments())
                .as("of the lease that was not claimed")
                .isEqualTo(1);
    }

    @Test
    @DisplayName("A vacant lease that is claimed by a writer without knowing of its eviction is free")
    void aVacantLeaseClaimedByAnEvictedWriterIsFree() throws InterruptedException {
        a.acquires("l4").close();
        theSessionOfAIsOverForB();
        a.hooks().once(Point.BEFORE_LEASE_WRITE, () -> b.engine().housekeeping());

        Lease late = a.acquires("l4");

        assertThat(b.sees("l4").status()).isEqualTo(LeaseStatus.FREE);
        assertThat(b.acquires("l4").token()).isEqualTo(late.token() + 1);
        assertThatThrownBy(() -> a.commitsUnder(late.assertion())).isInstanceOf(LeaseNotHeldException.class);
        a.clock().advance(PERIOD);
        await().until(() -> !late.isHeld());
    }
}
