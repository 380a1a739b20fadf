package dev.leasehold.engine.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.Request;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which of the two may still say what about an operation, the caller or the engine. */
class PendingOperationTest {

    private static final LeaseException TROUBLE = new LeaseUnavailableException("no database", null);

    /** Of a removal, which begins no tenure. */
    static final OperationResult DONE = new OperationResult(null, null, 0, ReleaseOutcome.VACANT);

    private final PendingOperation operation =
            new PendingOperation("billing", new Request.Claim("nightly", "h", 1_000_000L, null), 17);

    @Test
    void waitingOperationCanBeAbandonedAndThenNotCommitted() {
        assertThat(operation.cancel()).isTrue();

        assertThat(operation.beginCommit()).isFalse();
        assertThat(operation.claimAnswer()).isFalse();
        assertThat(operation.isOver()).isTrue();
        assertThat(operation.cancel()).isFalse();
    }

    @Test
    void waitingOperationCannotBeForsaken() {
        assertThat(operation.detach()).isFalse();
        assertThat(operation.isOver()).isFalse();
    }

    @Test
    void committingOperationCannotBeAbandonedAnyMore() {
        assertThat(operation.beginCommit()).isTrue();

        assertThat(operation.cancel()).isFalse();
        assertThat(operation.beginCommit()).as("twice").isFalse();
        assertThat(operation.isOver()).isFalse();
    }

    @Test
    void forsakenOperationIsOverAndSettledByNothing() {
        operation.beginCommit();

        assertThat(operation.detach()).isTrue();
        assertThat(operation.claimAnswer()).isFalse();
        operation.failUnknown(null);
        operation.commitDidNotHappen();

        assertThat(operation.isOver()).isTrue();
        assertThat(operation.cancel()).isFalse();
        assertThat(operation.answer()).isNotDone();
    }

    @Test
    void commitThatDidNotHappenMayBeTriedAgainOrAbandoned() {
        operation.beginCommit();
        operation.commitDidNotHappen();

        assertThat(operation.beginCommit()).isTrue();
        operation.commitDidNotHappen();
        assertThat(operation.cancel()).isTrue();
    }

    @Test
    void callerSentAwayNotKnowingIsToldThatItWillNeverBeKnown() {
        operation.beginCommit();
        operation.timeOut();
        Throwable unknown = catchThrowable(operation.answer()::join).getCause();

        operation.failForeverUnknown(TROUBLE);

        assertThat(unknown)
                .isInstanceOfSatisfying(
                        LeaseOutcomeUnknownException.class,
                        known -> assertThat(known.resolution().toCompletableFuture())
                                .isCompletedExceptionally());
    }

    @Test
    void failureWithoutEffectIsNotSaidOfACommitUnderWay() {
        operation.beginCommit();

        operation.fail(TROUBLE);
        assertThat(operation.answer()).isNotDone();
        operation.failUnknown(TROUBLE);

        assertThat(catchThrowable(operation.answer()::join))
                .hasCauseInstanceOf(LeaseOutcomeUnknownException.class)
                .hasRootCause(TROUBLE)
                .hasMessageContaining("claim of lease 'nightly' for 'h' in namespace 'billing'");
    }

    @Test
    void notKnowingIsNotSaidOfWhatWasNeverSent() {
        operation.failUnknown(TROUBLE);
        assertThat(operation.answer()).isNotDone();
        operation.fail(TROUBLE);

        assertThat(catchThrowable(operation.answer()::join)).hasCause(TROUBLE);
    }

    @Test
    @DisplayName(
            "A removal has no answer of its own that could come later: a caller that asks hears so, and is not kept waiting")
    void whatBecameOfARemovalIsNotToldLater() {
        PendingOperation removal = new PendingOperation("billing", new Request.Remove("old"), 17);
        removal.beginCommit();
        removal.failUnknown(TROUBLE);
        removal.complete(DONE);

        LeaseOutcomeUnknownException unknown = (LeaseOutcomeUnknownException)
                catchThrowable(removal.answer()::join).getCause();

        assertThat(catchThrowable(unknown.resolution().toCompletableFuture()::join))
                .hasCauseInstanceOf(LeaseStoreException.class);
    }

    @Test
    void rightToAnswerIsGivenOnce() {
        assertThat(operation.claimAnswer()).isTrue();

        assertThat(operation.claimAnswer()).isFalse();
        assertThat(operation.cancel()).isFalse();
        assertThat(operation.detach()).isFalse();
        operation.fail(TROUBLE);
        assertThat(operation.answer()).isNotDone();
        operation.complete(DONE);
        assertThat(operation.answer()).isCompletedWithValue(DONE);
    }

    @Test
    void runningOutOfTimeTellsContentionFromAnUnreachableDatabase() {
        assertThat(operation.outOfTime())
                .as("it may only have waited for its turn")
                .isInstanceOf(LeaseUnavailableException.class)
                .hasMessageEndingWith("the database did not answer in time, this or what was ahead of it");

        operation.retryState().failed(TROUBLE);
        assertThat(operation.outOfTime())
                .isInstanceOf(LeaseUnavailableException.class)
                .hasCause(TROUBLE);
        LeaseException contention = new LeaseContentionException("others", null);
        operation.retryState().failed(contention);

        assertThat(operation.outOfTime())
                .isInstanceOf(LeaseContentionException.class)
                .hasCause(contention)
                .hasMessageContaining("claim of lease 'nightly' for 'h' in namespace 'billing'");
    }
}
