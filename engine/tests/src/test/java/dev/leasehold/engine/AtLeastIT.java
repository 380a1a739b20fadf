package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Refusal.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A job of 50 ms on two nodes, which is to be had for 10 s at least. */
class AtLeastIT extends WithEngines {

    private static final Duration RUN = ofMillis(50);
    private static final Duration TIME = ofSeconds(10);
    private static final LeaseRequest SESSION = LeaseRequest.of("name").atLeast(TIME);
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));
    private static final LeaseRequest STRIPED = SESSION.gateStripes(2);

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

    private void runs(TestEngine engine, LeaseRequest request) throws InterruptedException {
        Lease lease = engine.acquires(request);
        engine.clock().advance(RUN);
        lease.close();
    }

    private static Instant keptFreeUntil(LeaseState state) {
        return ((LeaseState.Vacant) state).keptFreeUntil();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName(
            "The release leaves the lease vacant, kept free until that time after the acquisition on its own clock")
    void theReleaseKeepsTheLeaseFree(String kind, LeaseRequest request) throws InterruptedException {
        long acquiredNanos = a.clock().wallNanos();

        runs(a, request);

        BsonDocument vacant = stored();
        assertThat(vacant.isNull("holder")).isTrue();
        assertThat(vacant.get("expiry")).isEqualTo(new BsonInt64(acquiredNanos + TIME.toNanos()));
        assertThat(engines.shortForm("name")).isEqualTo("-/1");
        a.isRefused(request, Reason.NOT_YET);
        Refusal refusal = b.isRefused(request, Reason.NOT_YET);
        assertThat(keptFreeUntil(refusal.state())).isNotNull();
        assertThat(refusal.message()).contains("it is kept free for some time yet", "kept free until");
        assertThat(stored()).isEqualTo(vacant);
    }

    @Test
    @DisplayName("A forced expiry frees it at once, and moves the token on")
    void aForcedExpiryFreesIt() throws InterruptedException {
        runs(a, SESSION);

        assertThat(granted(b.engine().admin().forceExpire("name", "needed now")).token())
                .isEqualTo(1);

        assertThat(stored()).doesNotContainKey("expiry");
        assertThat(b.acquires(SESSION).token()).isEqualTo(3);
    }

    @Test
    @DisplayName("A forced expiry wakes those that wait for what is kept free, although no time passes")
    void aForcedExpiryWakesWaiters() throws Exception {
        runs(a, SESSION);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        granted(a.engine().admin().forceExpire("name", "needed now"));

        assertThat(waiting.get(60, TimeUnit.SECONDS).orElseThrow().token()).isEqualTo(3);
    }
}
