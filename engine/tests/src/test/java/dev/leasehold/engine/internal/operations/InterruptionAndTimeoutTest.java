package dev.leasehold.engine.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a caller learns that is interrupted or runs out of time, before and after the commit was sent. */
class InterruptionAndTimeoutTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Tenure TENURE = new Tenure(SteppedEngine.NAMESPACE, "one", "h", 1);

    private final SteppedEngine client = SteppedEngine.atZ();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    @DisplayName("TX-11: interrupted on arrival: nothing was sent, and nothing will be")
    void interruptedOnArrival() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> client.engine.tenures().claim("one", "h", MINUTE))
                .isInstanceOf(InterruptedException.class);

        client.runtime.runFor(SteppedEngine.BUDGET);
        assertThat(client.store.calls()).isZero();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    @DisplayName("TX-11: interrupted before the commit: not carried out, and never will be")
    void interruptedBetweenTries() {
        client.store.onCommit((transaction, mayCommit) -> {
            Thread.currentThread().interrupt();
            return ScriptedStore.conflict();
        });

        assertThatThrownBy(() -> client.engine.tenures().claim("one", "h", MINUTE))
                .isInstanceOf(InterruptedException.class);

        client.runtime.runFor(SteppedEngine.BUDGET);
        assertThat(client.store.has("one")).isFalse();
        assertThat(client.engine.tenures().isHeld(TENURE)).isFalse();
    }

    @Test
    @DisplayName("TX-11: interrupted after the commit was sent: the outcome is waited for, and the flag is kept")
    void interruptedAfterTheCommitWasSent() throws InterruptedException {
        client.store.onCommit((transaction, mayCommit) -> {
            WriteOutcome outcome = client.store.landUnheard(transaction, mayCommit);
            Thread.currentThread().interrupt();
            return outcome;
        });
        client.store.onCommitAgain(() -> WriteOutcome.APPLIED);

        LeaseResult answer = client.engine.tenures().claim("one", "h", MINUTE);

        assertThat(answer.orElseThrow()).isEqualTo(TENURE);
        assertThat(client.engine.tenures().isHeld(TENURE)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void interruptedTwiceWhileTheOutcomeIsOpenStillGetsIt() throws InterruptedException {
        client.store.onCommit((transaction, mayCommit) -> {
            Thread.currentThread().interrupt();
            return ScriptedStore.sentInVain(transaction, mayCommit);
        });
        client.store.onCommitAgain(
                () -> {
                    Thread.currentThread().interrupt();
                    return ScriptedStore.unknown();
                },
                () -> WriteOutcome.APPLIED);

        assertThat(client.engine.tenures().claim("one", "h", MINUTE).orElseThrow())
                .isEqualTo(TENURE);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    @DisplayName(
            "A removal of a record that was carried out and not answered is told as unknown, and an operator's log shows it")
    void anUnansweredRemovalOfARecordIsUnknown() throws InterruptedException {
        client.store.put(new OccurrenceRecord(TENURE, "2073-03-03", Instant.EPOCH));
        client.store.onRecordRemoved(() -> {
            throw new LeaseUnavailableException("the answer was lost", null);
        });

        try (LogCapture log = new LogCapture()) {
            assertThatThrownBy(() -> client.engine.admin().forgetOccurrence("one", "2073-03-03", "wrong prices"))
                    .isInstanceOf(LeaseOutcomeUnknownException.class);
            assertThat(log.warningsAbout("wrong prices")).hasSize(1);
        }

        assertThat(client.engine.findOccurrence("one", "2073-03-03")).isEmpty();
    }

    @Test
    @DisplayName(
            "A record that was made anew before its removal stays, and neither the answer nor the log says otherwise")
    void recordThatWasMadeAnewIsNotToldAsRemoved() throws InterruptedException {
        OccurrenceRecord anew = new OccurrenceRecord(TENURE, "2073-03-03", Instant.EPOCH.plusSeconds(1));
        client.store.put(new OccurrenceRecord(TENURE, "2073-03-03", Instant.EPOCH));
        client.store.onRead(() -> {}, () -> client.store.put(anew));

        try (LogCapture log = new LogCapture()) {
            assertThatThrownBy(() -> client.engine.admin().forgetOccurrence("one", "2073-03-03", "wrong prices"))
                    .isInstanceOf(LeaseOutcomeUnknownException.class)
                    .hasMessageContaining("was made anew meanwhile, and stays");
            assertThat(log.warningsAbout("was removed")).isEmpty();
        }

        assertThat(client.engine.findOccurrence("one", "2073-03-03")).contains(anew);
    }

    @Test
    @DisplayName("A record that an attempt without an answer has removed is told as removed, since it is gone")
    void recordThatAnUnansweredAttemptHasRemovedIsToldAsRemoved() throws InterruptedException {
        client.store.put(new OccurrenceRecord(TENURE, "2073-03-03", Instant.EPOCH));
        boolean[] lost = new boolean[1];
        client.store.onRecordRemoved(() -> {
            if (!lost[0]) {
                lost[0] = true;
                throw new LeaseUnavailableException("the answer was lost", null);
            }
        });

        assertThat(client.engine.admin().forgetOccurrence("one", "2073-03-03", "wrong prices"))
                .isPresent();
    }

    @Test
    void whatACallerAskedForThatCannotWaitIsNotCarriedOut() {
        client.runtime.throwAtNextAwait(new StackOverflowError());

        assertThatThrownBy(() -> client.engine.tenures().claim("one", "h", MINUTE))
                .isInstanceOf(StackOverflowError.class);

        client.runtime.runFor(SteppedEngine.BUDGET);
        assertThat(client.store.has("one")).isFalse();
        assertThat(client.engine.tenures().isHeld(TENURE)).isFalse();
    }

    @Test
    void whatCouldNotBeHandedInForCertainIsNotCarriedOut() {
        InternalError noMemory = new InternalError("out of memory");
        client.runtime.throwBehindNextTaskOf("-billing", noMemory);

        assertThatThrownBy(() -> client.engine.tenures().claim("one", "h", MINUTE))
                .isSameAs(noMemory);

        client.runtime.runFor(SteppedEngine.BUDGET);
        assertThat(client.store.has("one")).isFalse();
    }

    @Test
    void outOfTimeWithAnUnreachableDatabaseIsUnavailable() {
        client.store.onRead(Collections.nCopies(1000, (Runnable) () -> {
                    throw new LeaseUnavailableException("no database", null);
                })
                .toArray(Runnable[]::new));

        assertThatThrownBy(() -> client.engine.tenures().claim("one", "h", MINUTE))
                .isInstanceOf(LeaseUnavailableException.class);
        assertThatThrownBy(() -> client.engine.refresh(List.of("one"))).isInstanceOf(LeaseUnavailableException.class);
        assertThatThrownBy(() -> client.engine.leases()).isInstanceOf(LeaseUnavailableException.class);
    }

    @Test
    @DisplayName("UO-5: out of time while the commit is open: unknown, and a late landing forms no validity")
    void outOfTimeAfterTheCommitWasSentIsUnknown() {
        client.store.onCommit((transaction, mayCommit) -> {
            // The driver comes back only after the caller's time is over.
            WriteOutcome outcome = client.store.landUnheard(transaction, mayCommit);
            client.clock.advance(SteppedEngine.BUDGET - 1);
            return outcome;
        });
        Supplier<WriteOutcome> landed = () -> WriteOutcome.APPLIED;
        client.store.onCommitAgain(landed);

        assertThatThrownBy(() -> client.engine.tenures().claim("one", "h", MINUTE))
                .isInstanceOf(LeaseOutcomeUnknownException.class)
                .hasMessageContaining("claim of lease 'one' for 'h'");

        client.runtime.runFor(SteppedEngine.SECOND);
        assertThat(client.engine.tenures().isHeld(TENURE)).isFalse();
    }

    @Test
    @DisplayName("UO-8: a release gives the validity up from its start on, however it ends")
    void interruptedReleaseLeavesNoValidity() throws InterruptedException {
        Tenure tenure = client.engine.tenures().claim("one", "h", MINUTE).orElseThrow();
        assertThat(client.engine.tenures().isHeld(tenure)).isTrue();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> client.engine.tenures().release(tenure)).isInstanceOf(InterruptedException.class);

        assertThat(client.engine.tenures().isHeld(tenure)).isFalse();
        assertThat(client.engine.tenures().remaining(tenure)).isZero();
        client.engine.tenures().extend(tenure, MINUTE).orElseThrow();
        assertThat(client.engine.tenures().isHeld(tenure)).as("for good").isFalse();
    }
}
