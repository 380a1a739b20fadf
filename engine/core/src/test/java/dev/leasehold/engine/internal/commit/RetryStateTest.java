package dev.leasehold.engine.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.runtime.LogContext;
import org.junit.jupiter.api.Test;

class RetryStateTest {

    private static final LeaseException TROUBLE = new LeaseContentionException("another writer was first", null);

    private final RetryState retryState = new RetryState(LogContext.ofLease("billing", "nightly"), "remove");

    @Test
    void aRefusalThatMayBeAboutAnotherOperationSendsItAlone() {
        retryState.alone(TROUBLE);

        assertThat(retryState.batchLimit()).isEqualTo(1);
        assertThat(retryState.failures()).isEqualTo(1);
        assertThat(retryState.isContended()).as("no other engine wrote").isFalse();
        assertThat(retryState.lastFailure()).isSameAs(TROUBLE);
    }

    @Test
    void aConflictThatMayBeAboutTheClockLeavesTheBatchAsItIs() {
        retryState.conflicted(TROUBLE);
        retryState.conflicted(TROUBLE);

        assertThat(retryState.isContended()).isTrue();
        assertThat(retryState.failures()).isEqualTo(2);
        assertThat(retryState.batchLimit()).isEqualTo(OperationQueue.BATCH_LIMIT);
    }

    @Test
    void aConflictAboutALeaseHalvesTheBatchAndIsANewBeginning() {
        retryState.conflicted(TROUBLE);
        retryState.halved(TROUBLE, 512);
        assertThat(retryState.batchLimit()).isEqualTo(256);
        assertThat(retryState.isContended()).isTrue();
        assertThat(retryState.failures()).isZero();
        retryState.halved(TROUBLE, 3);
        assertThat(retryState.batchLimit()).as("the larger half").isEqualTo(2);
        retryState.halved(TROUBLE, 2);
        assertThat(retryState.batchLimit()).isEqualTo(1);
    }
}
