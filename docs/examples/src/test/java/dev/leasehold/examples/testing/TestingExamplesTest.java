package dev.leasehold.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.testkit.StoreFailure;
import dev.leasehold.testkit.TestLeases;
import dev.leasehold.testkit.junit.WithTestLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@WithTestLeases
class TestingExamplesTest {

    // example:start loss
    @Test
    void theJobStopsWhenItsLeaseIsLost(TestLeases leases) throws InterruptedException {
        InvoiceJob job = new InvoiceJob(leases.engine());

        leases.lose(job.lease(), LeaseLoss.Reason.NOT_RENEWED);

        assertThat(job.isStopped()).isTrue();
    }
    // example:end loss

    // example:start take-over
    @Test
    void anotherProcessTakesOverAfterTheSession(TestLeases leases) throws InterruptedException {
        Lease first = leases.engine("a").tryAcquire("leader").orElseThrow();

        leases.machine("a").kill();

        leases.advance(Duration.ofSeconds(29));
        assertThat(leases.engine("b").tryAcquire("leader").asOptional()).isEmpty();
        LeaseRequest waiting = LeaseRequest.of("leader").waitAtMost(Duration.ofMinutes(1));
        Lease second = leases.engine("b").acquire(waiting); // waits on the test's clock
        assertThat(second.token()).isGreaterThan(first.token());
    }
    // example:end take-over

    // example:start unknown
    @Test
    void anUnknownOutcomeIsResolvedLater(TestLeases leases) {
        LeaseEngine engine = leases.engine();
        leases.failNext(StoreFailure.UNKNOWN_AND_WRITTEN);

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class,
                () -> engine.tenures().claim("shard-7", "worker-1", Duration.ofMinutes(5)));

        assertThat(unknown.resolution()).isNotDone();
        leases.advance(Duration.ofSeconds(5));
        assertThat(unknown.resolution()).isCompletedWithValueMatching(Granted.class::isInstance);
    }
    // example:end unknown

    @Test
    void theJobOutlivesADatabaseThatIsAwayForAShortWhile(TestLeases leases) throws InterruptedException {
        InvoiceJob job = new InvoiceJob(leases.engine());

        leases.stopDatabase();
        leases.advance(Duration.ofSeconds(15));
        leases.startDatabase();
        leases.advance(Duration.ofMinutes(5));
        assertThat(job.isStopped()).isFalse();

        leases.stopDatabase();
        leases.advance(Duration.ofSeconds(31)); // longer than the session
        assertThat(job.isStopped()).isTrue();
    }

    // example:start gate
    @Test
    void nothingIsWrittenUnderALeaseThatIsLost(TestLeases leases) throws InterruptedException {
        List<String> written = new ArrayList<>();
        InvoiceWriter writer = new InvoiceWriter(leases::startSession, (session, invoice) -> written.add(invoice));
        Lease lease = leases.engine().tryAcquire("nightly-invoices").orElseThrow();

        writer.write(lease, "4711");
        leases.lose(lease, LeaseLoss.Reason.TAKEN_OVER);
        assertThatThrownBy(() -> writer.write(lease, "4712")).isInstanceOf(LeaseNotHeldException.class);

        assertThat(written).containsExactly("4711");
    }
    // example:end gate
}
