package dev.leasehold.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.protocol.Request;
import org.junit.jupiter.api.Test;

class TriesTest {

    private static final LeaseException TROUBLE = new LeaseContentionException("somebody else was first", null);

    private final Tries tries = new Tries("billing", new Request.Remove("nightly"));

    @Test
    void aRefusalThatMayBeAboutAnotherOperationSendsItAlone() {
        tries.alone(TROUBLE);

        assertThat(tries.batchLimit()).isEqualTo(1);
        assertThat(tries.failures()).isEqualTo(1);
        assertThat(tries.isContended()).as("nobody else wrote").isFalse();
        assertThat(tries.lastTrouble()).isSameAs(TROUBLE);
    }

    @Test
    void aConflictThatMayBeAboutTheClockLeavesTheBatchAsItIs() {
        tries.conflicted(TROUBLE);
        tries.conflicted(TROUBLE);

        assertThat(tries.isContended()).isTrue();
        assertThat(tries.failures()).isEqualTo(2);
        assertThat(tries.batchLimit()).isEqualTo(OperationQueue.BATCH_LIMIT);
    }

    @Test
    void aConflictAboutALeaseHalvesTheBatchAndIsANewBeginning() {
        tries.conflicted(TROUBLE);
        tries.halved(TROUBLE, 512);
        assertThat(tries.batchLimit()).isEqualTo(256);
        assertThat(tries.isContended()).isTrue();
        assertThat(tries.failures()).isZero();
        tries.halved(TROUBLE, 3);
        assertThat(tries.batchLimit()).as("the larger half").isEqualTo(2);
        tries.halved(TROUBLE, 2);
        assertThat(tries.batchLimit()).isEqualTo(1);
    }
}
