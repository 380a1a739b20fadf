package dev.leasehold.pekko;

import static dev.leasehold.pekko.Systems.answer;
import static dev.leasehold.pekko.Systems.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.mongodb.client.model.Filters;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@WithReplicaSet
class SharedEngineIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final LeaseRequest JOBS = LeaseRequest.of("jobs").holder("a");

    @Test
    void oneThatEndedByItselfIsReplacedForTheNextThatAsks(TestDatabase database) {
        SharedEngine shared = shared(database.uri(), database, Duration.ofSeconds(30));
        LeaseEngine first = answer(shared.get());
        // As an error in one of its threads would.
        first.close();

        assertThat(answer(shared.tryAcquire(JOBS)).asOptional()).isPresent();
        assertThat(answer(shared.get())).isNotSameAs(first);

        shared.close();
        assertThat(failure(shared.tryAcquire(JOBS))).isInstanceOf(LeaseEngineClosedException.class);
    }

    @ParameterizedTest(name = "released: {0}")
    @ValueSource(booleans = {true, false})
    void aReleaseAfterTheEngineHasEndedTellsWhetherTheOwnerHasTheLeaseYet(boolean released, TestDatabase database) {
        Duration timeout = Duration.ofSeconds(30);
        SharedEngine shared = shared(database.uri(), database, timeout);
        OwnedLease lease = new OwnedLease(JOBS, "a", timeout, () -> shared, ForkJoinPool.commonPool());
        assertThat(answer(lease.acquire())).isTrue();
        LeaseEngine ended = answer(shared.get());
        if (released) {
            ended.close();
        } else {
            ended.closeWithoutRelease();
        }

        assertThat(answer(lease.release())).isEqualTo(released);
        shared.close();
    }

    @Test
    void aStartThatFailsIsLoggedAndRepeatedThoughThereIsNoAcquire(TestDatabase database) {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(SharedEngine.class);
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
        logger.setAdditive(false);
        try (ClientNetwork network = ClientNetwork.open()) {
            network.cut(ClientNetwork.Cut.BROKEN);
            SharedEngine standby = shared(network.uri(database.uri()), database, Duration.ofSeconds(2));

            standby.prepare();

            await().atMost(LIMIT).until(() -> !log.list.isEmpty());
            assertThat(log.list.get(0).getFormattedMessage()).contains("did not start", database.name());
            network.mend();
            await().atMost(LIMIT)
                    .until(() -> database.database()
                                    .getCollection("leases")
                                    .find(Filters.eq("_id", "pekko"))
                                    .first()
                            != null);
            standby.close();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
            logger.setAdditive(true);
        }
    }

    private static SharedEngine shared(String uri, TestDatabase database, Duration operationTimeout) {
        return new SharedEngine(
                new EngineConfig(
                        uri,
                        database.name(),
                        "leases",
                        "pekko",
                        1,
                        1000,
                        Duration.ofMinutes(1),
                        Duration.ofMillis(500),
                        operationTimeout),
                null,
                ForkJoinPool.commonPool());
    }
}
