package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server fails once or twice. */
class TransientErrorsIT extends WithAnEngine {

    private void assertOneEffect(ActiveFailPoint failPoint, long hits) throws InterruptedException {
        BsonDocument entry = engines.entry(a.writer());
        long ticks = engines.ticks();

        assertThat(a.claims("name", "h", ofSeconds(60)).token()).isEqualTo(1);

        assertThat(failPoint.timesEntered()).isEqualTo(hits);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(engines.ticks()).isEqualTo(ticks + 1);
        assertThat(engines.entry(a.writer()).getInt64("txn").getValue())
                .isGreaterThan(entry.getInt64("txn").getValue())
                .isEqualTo(Engines.written(engines.leaseDocument("name")));
    }

    @ParameterizedTest(name = "code {0}")
    @DisplayName("TX-9: a transient error of the update has no effect, and the operation has one")
    // The last one is that of too many open transactions on a later server: this one has no name for it.
    @ValueSource(ints = {112, 246, 251, 9_990})
    void aTransientErrorOfTheUpdate(int code) throws InterruptedException {
        registered();
        assertOneEffect(
                engines.fail(FailPoint.failCommands("update")
                        .withErrorCode(code)
                        .withErrorLabels("TransientTransactionError")
                        .times(1)),
                1);
    }

    @ParameterizedTest(name = "code {0}")
    @DisplayName("An update that an overloaded server turned away has no effect, and the operation has one")
    @ValueSource(ints = {462, 463})
    void anUpdateThatWasTurnedAway(int code) throws InterruptedException {
        registered();
        assertOneEffect(
                engines.fail(FailPoint.failCommands("update")
                        .withErrorCode(code)
                        .withErrorLabels("SystemOverloadedError", "RetryableError", "NoWritesPerformed")
                        .times(5)),
                5);
    }

    @ParameterizedTest(name = "{0} times")
    @DisplayName("TX-9: a connection lost with the update has no effect, and the operation has one")
    @ValueSource(ints = {1, 2})
    void aConnectionLostWithTheUpdate(int times) throws InterruptedException {
        registered();
        assertOneEffect(
                engines.fail(
                        FailPoint.failCommands("update").closingConnection().times(times)),
                times);
    }

    @ParameterizedTest(name = "{0} times")
    @DisplayName("TX-9: a connection lost with the commit leaves one effect")
    @ValueSource(ints = {1, 2, 3})
    void aConnectionLostWithTheCommit(int times) throws InterruptedException {
        registered();
        assertOneEffect(
                engines.fail(FailPoint.failCommands("commitTransaction")
                        .closingConnection()
                        .times(times)),
                times);
    }

    @Test
    @DisplayName("TX-9: a commit that finds no transaction never happened, and the operation is tried again")
    void aCommitThatFindsNoTransaction() throws InterruptedException {
        registered();
        assertOneEffect(
                engines.fail(FailPoint.failCommands("commitTransaction")
                        .withErrorCode(251)
                        .withErrorLabels("TransientTransactionError")
                        .times(1)),
                1);
        assertThat(a.hooks().transactions()).hasSize(2);
    }
}
