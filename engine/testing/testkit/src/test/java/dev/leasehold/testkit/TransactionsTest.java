package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Assertions in transactions of callers. */
class TransactionsTest {

    private final TestLeases leases = TestLeases.create();
    private Lease lease;

    @BeforeEach
    void acquire() throws InterruptedException {
        lease = leases.engine().tryAcquire("x").orElseThrow();
    }

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void aTransactionUnderALeaseThatIsHeldCommits() {
        int[] runs = new int[1];

        String result = lease.inTransaction(leases.startSession(), session -> "done " + ++runs[0]);

        assertThat(result).isEqualTo("done 1");
    }

    @Test
    void oneUnderALeaseThatWasLostDoesNot() {
        leases.lose(lease, Reason.TAKEN_OVER);

        assertThatThrownBy(() -> check(leases.startSession())).isInstanceOf(LeaseNotHeldException.class);
        assertThatThrownBy(() -> lease.inTransaction(leases.startSession(), session -> 1))
                .isInstanceOf(LeaseNotHeldException.class);
    }

    @Test
    void aCheckThatFailedKeepsTheTransactionFromCommittingThoughItsFailureIsPassedOver() {
        leases.lose(lease, Reason.TAKEN_OVER);
        ClientSession session = leases.startSession();

        assertThatThrownBy(() -> check(session)).isInstanceOf(LeaseNotHeldException.class);
        assertThatThrownBy(session::commitTransaction).isInstanceOf(LeaseNotHeldException.class);
    }

    private void check(ClientSession session) {
        session.startTransaction();
        lease.assertion().check(session);
    }

    @Test
    void noEngineEndsATenureBetweenItsAssertionAndTheCommit() {
        ClientSession session = leases.startSession();
        session.startTransaction();
        lease.assertion().check(session);

        assertThatThrownBy(() -> leases.engine("operator").admin().forceExpire("x", "test"))
                .isInstanceOf(LeaseContentionException.class);
        session.commitTransaction();

        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void theBodyRunsOnTheThreadOfItsCallerAndMayUseTheEngine() {
        Thread[] ran = new Thread[1];

        String found = lease.inTransaction(leases.startSession(), session -> {
            ran[0] = Thread.currentThread();
            return leases.engine("b")
                    .acquireAsync(LeaseRequest.of("y").waitAtMost(Duration.ZERO))
                    .toCompletableFuture()
                    .join()
                    .name();
        });

        assertThat(ran[0]).isSameAs(Thread.currentThread());
        assertThat(found).isEqualTo("y");
    }

    @Test
    @DisplayName(
            "A body that closes its own lease does not wait for its own transaction, which commits, and then the lease is free")
    void aBodyThatClosesItsLeaseDoesNotWaitForItself() throws InterruptedException {
        Instant before = leases.clock().instant();

        String result = lease.inTransaction(leases.startSession(), session -> {
            lease.close();
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(lease.isHeld()).isFalse();
        assertThat(leases.clock().instant()).isEqualTo(before);
        assertThat(leases.engine("b")
                        .tryAcquire(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(1)))
                        .asOptional())
                .isPresent();
    }

    @Test
    @DisplayName("A body that changes the payload of its own lease is told at once that it would wait for itself")
    void aBodyThatChangesThePayloadOfItsLeaseIsTold() throws InterruptedException {
        Instant before = leases.clock().instant();

        assertThatIllegalStateException()
                .isThrownBy(() -> lease.inTransaction(leases.startSession(), session -> {
                    updatePayload();
                    return 1;
                }))
                .withMessageContaining("inside of a transaction that asserts the lease");

        assertThat(leases.clock().instant()).isEqualTo(before);
        lease.updatePayload("free again");
        assertThat(lease.isHeld()).isTrue();
    }

    private void updatePayload() {
        try {
            lease.updatePayload("progress");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSessionOfSomethingElseIsRefused() {
        ClientSession foreign = (ClientSession) Proxy.newProxyInstance(
                ClientSession.class.getClassLoader(),
                new Class<?>[] {ClientSession.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hasActiveTransaction", "notifyMessageSent" -> true;
                    case "getTransactionOptions" -> TransactionOptions.builder().build();
                    case "toString" -> "a session of the test's own";
                    default -> null;
                });

        assertThatThrownBy(() -> lease.assertion().check(foreign))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("none of the database in memory")
                .hasMessageContaining("a session of the test's own");
    }
}
