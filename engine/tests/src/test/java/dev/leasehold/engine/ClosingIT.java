package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Refusal.Reason;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a close tells callers that do not wait for it, and what stays when an engine ends without releasing. */
class ClosingIT extends WithEngines {

    private static final LeaseRequest SESSION = LeaseRequest.of("name").holder("h");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));

    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    static List<Arguments> kinds() {
        return List.of(Arguments.of("session", SESSION), Arguments.of("term", TERM));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void aCloseThatNothingWaitsForTellsThatTheLeaseIsFree(String kind, LeaseRequest request) throws Exception {
        Lease lease = a.acquires(request);

        CompletionStage<Boolean> closed = lease.closeAsync();

        assertThat(lease.isHeld()).isFalse();
        assertThat(answerOf(closed)).isTrue();
        assertThat(engines.shortForm("name")).isEqualTo("-/1");
        assertThat(answerOf(lease.closeAsync())).as("asked again").isTrue();
    }

    @Test
    void aCloseTellsThatAnotherHandleKeepsTheLease() throws Exception {
        Lease first = a.acquires(SESSION);
        Lease second = a.acquires(SESSION);

        assertThat(answerOf(first.closeAsync())).isFalse();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(answerOf(second.closeAsync())).isTrue();
    }

    @Test
    void aCloseAfterAnOperatorsOrderTellsThatTheTenureIsOver() throws Exception {
        Lease lease = a.acquires(SESSION);
        b.engine().admin().forceExpire("name", "it hangs");

        assertThat(answerOf(lease.closeAsync())).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("an engine that ends without releasing leaves its leases to run out, as one that died")
    void nothingIsReleased(String kind, LeaseRequest request) throws Exception {
        Lease lease = a.acquires(request);
        Lease given = a.acquires(LeaseRequest.of("given up before"));
        given.close();

        a.engine().closeWithoutRelease();

        assertThat(lease.isHeld()).isFalse();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(engines.shortForm("given up before")).isEqualTo("-/1");
        assertThat(answerOf(lease.closeAsync())).as("closed too late").isFalse();
        b.isRefused(SESSION.holder("h2"), Reason.HELD);
        b.clock().advance(request.term().orElse(ofSeconds(30)).plusSeconds(1));
        assertThat(b.acquires(SESSION.holder("h2")).token()).isEqualTo(2);
    }

    @Test
    void anEngineThatHoldsNothingLeavesNothingBehind() throws Exception {
        a.acquires(SESSION).close();
        assertThat(engines.writers()).isNotEmpty();

        a.engine().closeWithoutRelease();

        assertThat(engines.writers()).isEmpty();
    }

    private static boolean answerOf(CompletionStage<Boolean> closed) throws Exception {
        return closed.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
