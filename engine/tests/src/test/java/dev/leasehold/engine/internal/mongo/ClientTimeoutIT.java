package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of commands where the application's client has a timeout for every operation. 0 is none. */
class ClientTimeoutIT extends WithStores {

    private static final long READ_MILLIS = Stores.BUDGET.toMillis() + 400;
    private static final long TRANSACTION_MILLIS = Stores.BUDGET.toMillis() + 1_000;
    private static final long LEASE_MILLIS = 750;
    private static final long CLOCK_MILLIS = 1_700;

    ClientTimeoutIT(TestDatabase database) {
        super(database);
    }

    private TestWriter withTimeout(long millis) {
        TestWriter b = new TestWriter(stores.open(settings -> settings.timeout(millis, TimeUnit.MILLISECONDS)), "b");
        stores.sent().forget();
        return b;
    }

    private void assertLimits(String command, long timeoutMillis, long ownMillis) {
        assertThat(stores.sent().all())
                .filteredOn(sent -> sent.getFirstKey().equals(command))
                .isNotEmpty()
                .extracting(ClientTimeoutIT::limitMillis)
                .allSatisfy(limit -> assertThat(limit)
                        .as("limit of %s", command)
                        .isBetween(1L, timeoutMillis == 0 ? ownMillis : Math.min(timeoutMillis, ownMillis)));
        stores.sent().forget();
    }

    private static long limitMillis(BsonDocument command) {
        return command.getNumber("maxTimeMS").longValue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 600, 1_000, 3_000, 60_000})
    @DisplayName(
            "A shorter timeout of the client is the limit of each command, and a longer one never replaces the engine's")
    void theShorterLimitCounts(long timeoutMillis) {
        a.commits(a.insert("x"));
        TestWriter b = withTimeout(timeoutMillis);

        b.registered();
        assertLimits("update", timeoutMillis, CLOCK_MILLIS);
        assertThat(b.store().writeLeases("b", List.of(b.takes("x", "h2", 2)))).isEqualTo(WriteOutcome.APPLIED);
        assertLimits("update", timeoutMillis, LEASE_MILLIS);
        b.commits(b.insert("y"));
        assertLimits("update", timeoutMillis, TRANSACTION_MILLIS);
        b.commits(b.insert("z"));
        assertLimits("commitTransaction", timeoutMillis, TRANSACTION_MILLIS);
        b.store().read(Set.of("x"), "b");
        assertLimits("find", timeoutMillis, READ_MILLIS);
        b.store().page(null, 10, "b");
        assertLimits("find", timeoutMillis, READ_MILLIS);
        b.store().survey();
        assertLimits("find", timeoutMillis, READ_MILLIS);
        b.store().occurrence("x", "night");
        assertLimits("find", timeoutMillis, READ_MILLIS);
        b.store().occurrences("x", 10);
        assertLimits("find", timeoutMillis, READ_MILLIS);
        b.store().removeOldOccurrences(null, 10, 1);
        assertLimits("find", timeoutMillis, READ_MILLIS);
        b.store().queues(null, 10);
        assertLimits("find", timeoutMillis, READ_MILLIS);
        b.store().tidyQueues(null, 10);
        assertLimits("find", timeoutMillis, READ_MILLIS);
        b.store().stamps("b");
        assertLimits("aggregate", timeoutMillis, READ_MILLIS);
        b.store().idleTransactions();
        assertLimits("aggregate", timeoutMillis, READ_MILLIS);
        b.store().endTransactions(Set.of());
        assertLimits("killSessions", timeoutMillis, READ_MILLIS);
    }

    @Test
    @DisplayName(
            "Behind a caller's transaction a write ends long before the client's timeout, and is not carried out later")
    void aLongTimeoutOfTheClientIsNoReasonToWait() {
        a.commits(a.insert("x"), a.insert("y"));
        TestWriter b = withTimeout(600_000).registered();

        try (ClientSession caller = stores.openTransactionOn("billing#x")) {
            assertThat(b.store()
                            .writeLeases("b", List.of(b.takes("x", "h2", 2)))
                            .verdict())
                    .isEqualTo(Verdict.UNKNOWN);
            assertThat(b.store().writeClock(new ClockWrite.Barrier("b"))).isEqualTo(WriteOutcome.APPLIED);
            assertThat(b.store().writeLeases("b", List.of(b.takes("y", "h2", 2))))
                    .isEqualTo(WriteOutcome.APPLIED);
            caller.commitTransaction();
        }
        assertThat(stores.lease("x").getInt64("token").getValue()).isEqualTo(1);
    }
}
