package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.RunOnceResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work once per occurrence, on the database in memory. */
class RunOnceTest {

    private final TestLeases leases = TestLeases.create();
    private final List<String> ran = new ArrayList<>();

    @AfterEach
    void close() {
        leases.close();
    }

    private RunOnceResult<Boolean> runOn(String machine, String occurrence) throws InterruptedException {
        return leases.engine(machine).runOnce("nightly", occurrence, (lease, session) -> ran.add(machine));
    }

    @Test
    @DisplayName("each occurrence runs on one machine, however far their clocks are apart")
    void eachOccurrenceRunsOnOneMachine() throws InterruptedException {
        leases.engine("late", Duration.ofHours(-5));

        assertThat(runOn("a", "1").ran()).isTrue();
        assertThat(runOn("late", "1")).isInstanceOf(RunOnceResult.DoneBefore.class);
        assertThat(runOn("late", "2").ran()).isTrue();

        assertThat(ran).containsExactly("a", "late");
        assertThat(leases.engine("a").admin().occurrences("nightly", 10))
                .extracting(OccurrenceRecord::occurrence)
                .containsExactly("2", "1");
    }

    @Test
    @DisplayName(
            "a process that lost its lease in the transaction commits no record, and another one does the occurrence")
    void aLostLeaseCommitsNoRecord() throws InterruptedException {
        assertThatThrownBy(() -> leases.engine("a").runOnce("nightly", "1", (lease, session) -> {
                    throw new IllegalStateException("fails");
                }))
                .hasMessage("fails");
        Lease lost = leases.engine("a").tryAcquire("nightly").orElseThrow();
        leases.lose(lost, Reason.TAKEN_OVER);

        assertThatThrownBy(() -> {
                    try (var session = leases.startSession()) {
                        session.withTransaction(() -> lost.once(session, "1"));
                    }
                })
                .isInstanceOf(LeaseNotHeldException.class);
        leases.advance(Duration.ofHours(1));

        assertThat(leases.engine("a").findOccurrence("nightly", "1")).isEmpty();
    }

    @Test
    void aCallWaitsForTheLeaseAsLongAsItWasAskedTo() throws InterruptedException {
        leases.engine("a").tryAcquire("nightly").orElseThrow();
        Instant before = leases.clock().instant();

        RunOnceResult<Integer> result = leases.engine("b")
                .runOnce(LeaseRequest.of("nightly").waitAtMost(Duration.ofSeconds(7)), "1", (lease, session) -> 1);

        assertThat(result).isInstanceOf(RunOnceResult.Skipped.class);
        assertThat(Duration.between(before, leases.clock().instant())).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    @DisplayName("a task that closes its own lease does not wait for its own transaction, and its record is committed")
    void aTaskThatClosesItsLeaseDoesNotWaitForItself() throws InterruptedException {
        Instant before = leases.clock().instant();

        assertThat(leases.engine("a")
                        .runOnce("nightly", "1", (lease, session) -> {
                            lease.close();
                            return 1;
                        })
                        .ran())
                .isTrue();

        assertThat(leases.clock().instant()).isEqualTo(before);
        assertThat(leases.engine("b").findOccurrence("nightly", "1")).isPresent();
    }

    @Test
    @DisplayName("housekeeping leaves new records alone")
    void housekeepingLeavesNewRecordsAlone() throws InterruptedException {
        runOn("a", "1");

        assertThat(leases.engine("b").housekeeping().occurrencesRemoved()).isZero();
        assertThat(runOn("b", "1").ran()).isFalse();
    }
}
