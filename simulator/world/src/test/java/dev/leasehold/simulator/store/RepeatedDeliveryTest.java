package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.conditions.MessageFault;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The driver sends some commands twice. The server carries them out once. */
class RepeatedDeliveryTest {

    private static final long LATER_NANOS = 100 * StoreWorld.MILLISECOND;

    private final StoreWorld stage = new StoreWorld();

    private void expectNoMoreWritesThan(int writes, Runnable doing) {
        long version = stage.database().version();
        doing.run();
        assertThat(stage.database().version()).isEqualTo(version + writes);
        stage.pass(2 * LATER_NANOS);
        assertThat(stage.database().version()).isEqualTo(version + writes);
    }

    @Test
    void aCommit() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            expectNoMoreWritesThan(
                    1, () -> a.commitAfter(() -> stage.befall(MessageFault.Kind.REPEAT, LATER_NANOS), a.insert("x")));
        });
    }

    @Test
    void aWriteOfTheClockThatMatchesAnyDocument() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            stage.befall(MessageFault.Kind.REPEAT, LATER_NANOS);
            expectNoMoreWritesThan(1, () -> a.writes(a.barrier()));
        });
    }

    @Test
    void aWriteOfTheClockAfterALaterOne() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            stage.befall(MessageFault.Kind.REPEAT, LATER_NANOS);
            expectNoMoreWritesThan(2, () -> a.writes(a.barrier()).writes(a.barrier()));
        });
    }

    @Test
    void writesOfLeasesOfWhichSomeMissed() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"), a.insert("y"));
            var writes = List.of(a.take("x", "h2"), a.stale("y"));
            stage.befall(MessageFault.Kind.REPEAT, LATER_NANOS);
            expectNoMoreWritesThan(1, () -> a.store().writeLeases("a", writes));
        });
    }

    @Test
    void anUpdateWhoseTransactionIsOverBeginsNoOther() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            stage.befall(MessageFault.Kind.REPEAT, LATER_NANOS);
            expectNoMoreWritesThan(1, () -> a.commits(a.insert("x")));
            assertThat(a.store().idleTransactions()).isEmpty();
        });
    }

    /** What is repeated goes where the first one went. */
    @Test
    void anUpdateWhosePrimaryIsGoneBeginsNoTransactionOnTheNext() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            stage.befall(MessageFault.Kind.REPEAT, LATER_NANOS);
            expectNoMoreWritesThan(0, () -> a.commitAfter(() -> stage.database().failOver(0, false), a.insert("x")));
            assertThat(a.store().idleTransactions()).isEmpty();
        });
    }
}
