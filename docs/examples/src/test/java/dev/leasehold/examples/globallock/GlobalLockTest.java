package dev.leasehold.examples.globallock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.Refusal;
import dev.leasehold.testkit.TestLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With the real engine, on the test kit's database and clock. */
class GlobalLockTest {

    private static final Duration DURATION = Duration.ofSeconds(30);

    private final TestLeases time = TestLeases.create();
    private final GlobalLock first = new GlobalLock(time.engine("first"), "report", "first");
    private final GlobalLock second = new GlobalLock(time.engine("second"), "report", "second");

    @AfterEach
    void close() {
        time.close();
    }

    private static long acquire(GlobalLock lock) throws InterruptedException {
        return lock.tryAcquire(DURATION).orElseThrow().token();
    }

    private static LeaseState.Held refused(GlobalLock lock) throws InterruptedException {
        return lock.tryAcquire(DURATION) instanceof Refusal refusal && refusal.state() instanceof LeaseState.Held held
                ? held
                : fail("it was granted");
    }

    @Test
    void theNextWorkerWaitsUntilTheTimeIsUpAndGetsTheNextToken() throws InterruptedException {
        long token = acquire(first);
        LeaseState.Held held = refused(second);
        assertThat(held.tenure().holder()).isEqualTo("first");
        Instant latest = Objects.requireNonNull(held.latestExpiry());

        time.advance(Duration.between(time.clock().instant(), latest));
        assertThat(refused(second).tenure().token()).isEqualTo(token);
        time.advance(Duration.ofMillis(1));

        assertThat(acquire(second)).isEqualTo(token + 1);
    }

    @Test
    void theLeaderThatAsksAgainKeepsItsTokenAndTheLock() throws InterruptedException {
        long token = acquire(first);
        refused(second);
        for (int i = 0; i < 4; i++) {
            time.advance(DURATION.dividedBy(2));
            assertThat(acquire(first)).isEqualTo(token);
            refused(second);
        }
    }

    @Test
    void aLeaderThatAsksTooLateGetsNothing() throws InterruptedException {
        acquire(first);
        refused(second);
        time.advance(Duration.ofMinutes(1));
        acquire(second);

        assertThat(refused(first).tenure().holder()).isEqualTo("second");
    }

    @Test
    void aTokenIsValidUntilTheLockIsReleasedOrItsTimeIsUp() throws InterruptedException {
        long token = acquire(first);
        assertThat(second.isValid(token)).isTrue();
        assertThat(second.isValid(token + 1)).isFalse();

        first.release();
        assertThat(second.isValid(token)).isFalse();

        long next = acquire(first);
        assertThat(second.isValid(token)).isFalse();
        assertThat(second.isValid(next)).isTrue();
        time.advance(Duration.ofMinutes(1));
        assertThat(second.isValid(next)).isFalse();
    }

    @Test
    void aReleasedLockIsTakenAtOnceUnderTheNextToken() throws InterruptedException {
        long token = acquire(first);
        first.release();
        first.release();

        assertThat(acquire(second)).isEqualTo(token + 1);
        first.release();
        assertThat(second.isValid(token + 1)).isTrue();
    }

    @Test
    void aWaitInVainEndsWithTheHolder() throws InterruptedException {
        acquire(first);

        assertThat(second.acquire(DURATION, Duration.ZERO))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.message()).contains("'first'"));
    }
}
