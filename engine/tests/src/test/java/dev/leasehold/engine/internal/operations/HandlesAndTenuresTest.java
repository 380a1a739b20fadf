package dev.leasehold.engine.internal.operations;

import static dev.leasehold.engine.internal.commit.SteppedPartition.bySessionOfOther;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.RunResult;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.world.ScriptedStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a lease that a handle keeps when callers of the same engine, or others, act by its tenure. */
class HandlesAndTenuresTest {

    private static final long SECOND = SteppedEngine.SECOND;
    private static final LeaseRequest SESSION = LeaseRequest.of("one").holder("h");
    private static final LeaseRequest TERM = SESSION.term(Duration.ofMinutes(1));

    private final SteppedEngine fake = SteppedEngine.atZ();
    private final List<LeaseLoss> losses = new ArrayList<>();

    private Lease acquire(LeaseRequest request) throws InterruptedException {
        Lease lease = fake.engine.tryAcquire(request).orElseThrow();
        lease.onLost(losses::add);
        fake.runtime.runDue();
        return lease;
    }

    private List<Reason> reasons() {
        fake.runtime.runFor(SECOND);
        return losses.stream().map(LeaseLoss::reason).toList();
    }

    @Test
    void releaseByTenureThatIsNotCarriedOutLeavesNoLeaseToTheSession() throws InterruptedException {
        Lease lease = acquire(SESSION);
        fake.store.onLeaseWrites(writes -> {
            fake.clock.advance(SteppedEngine.BUDGET);
            return ScriptedStore.unavailable();
        });
        assertThatThrownBy(() -> fake.engine.tenures().release(lease.tenure()))
                .isInstanceOf(LeaseUnavailableException.class);

        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        fake.runtime.runFor(60 * SECOND);
        assertThat(fake.store.document("one").holder()).isNull();
    }

    @Test
    void forcedExpiryThroughTheEngineThatKeepsItIsKnownAtOnce() throws InterruptedException {
        Lease lease = acquire(TERM);

        assertThat(fake.engine.admin().forceExpire("one", "it hangs").isGranted())
                .isTrue();

        assertThat(fake.engine.tenures().isHeld(lease.tenure())).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
    }

    /** Until the scripts of clock writes are forgotten nothing finds out. */
    private void nextCommitLandsUnheard() {
        fake.store.onCommit(fake.store::landUnheard);
        fake.store.onCommitAgain(ScriptedStore::unknown);
        for (int i = 0; i < 100; i++) {
            fake.store.onClockWrite(ScriptedStore::unknown);
        }
    }

    @Test
    @DisplayName(
            "UO-7: a renewal that is known to have landed after its tenure was known to be over brings no validity back")
    void renewalThatLandedIsKnownAfterTheLoss() throws InterruptedException {
        Lease lease = acquire(TERM);
        nextCommitLandsUnheard();
        fake.runtime.runFor(21 * SECOND);
        endedByAnother("one");
        assertThat(reasons()).containsExactly(Reason.TAKEN_OVER);
        assertThat(fake.engine.health().ready())
                .as("the outcome of the renewal is unknown")
                .isFalse();
        assertThat(fake.engine.tenures().isHeld(lease.tenure())).isFalse();

        fake.store.forgetClockWriteScripts();
        fake.runtime.runFor(SECOND);

        assertThat(fake.engine.health().ready()).isTrue();
        assertThat(fake.engine.tenures().isHeld(lease.tenure())).isFalse();
    }

    @Test
    @DisplayName("UO-10: a renewal that landed unheard is no loss when the engine meets its own write")
    void renewalMeetsOneThatLandedUnheard() throws InterruptedException {
        Lease lease = acquire(TERM);
        nextCommitLandsUnheard();
        fake.runtime.runFor(35 * SECOND);
        assertThat(fake.engine.health().ready())
                .as("the outcome of the renewal is unknown")
                .isFalse();

        fake.store.forgetClockWriteScripts();
        fake.runtime.runFor(300 * SECOND);

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(fake.store.document("one").token()).isEqualTo(1);
    }

    private void endedByAnother(String name) {
        LeaseDocument held = fake.store.document(name);
        fake.store.put(bySessionOfOther(held.namespace(), name, null, held.token() + 1, 1));
        fake.store.stream().tell(new LeaseChange.Freed(name, null));
    }

    @Test
    @DisplayName(
            "HA-32: a task runs while the lease is held; or is skipped; what it throws passes, and the lease is released")
    void taskRunsWhileHeld() throws Exception {
        RunResult<String> ran = fake.engine.runWhileHeld("one", lease -> {
            assertThat(lease.isHeld()).isTrue();
            assertThat(fake.engine
                            .<String, RuntimeException>runWhileHeld("one", other -> "never")
                            .ran())
                    .isFalse();
            return "result";
        });
        assertThat(ran).isEqualTo(new RunResult.Ran<>("result", true));
        assertThat(fake.engine.admin().inspect("one").status()).isEqualTo(LeaseStatus.FREE);

        assertThatThrownBy(() -> fake.engine.runWhileHeld("one", lease -> {
                    throw new IOException("task");
                }))
                .isInstanceOf(IOException.class);
        assertThat(fake.engine.admin().inspect("one").status()).isEqualTo(LeaseStatus.FREE);
    }
}
