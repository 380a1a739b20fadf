package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A driver looks for a server for longer than an engine waits for its start, unless it was told otherwise. */
class UnreachableDatabaseTest {

    /** No server has that port. */
    private static final String NOWHERE = "localhost:1";

    @Test
    void engineThatIsNotStartedSaysWhereTheDriverLooks() {
        Duration budget = Duration.ofSeconds(2);
        try (MongoClient client = MongoClients.create("mongodb://" + NOWHERE)) {
            assertThatExceptionOfType(LeaseUnavailableException.class)
                    .isThrownBy(() -> LeaseEngine.builder(client)
                            .database("app")
                            .namespace("billing")
                            .operationBudget(budget)
                            .commandBudget(budget)
                            .build())
                    .withMessageContaining("did not answer within 2000 ms")
                    .withMessageContaining("address=" + NOWHERE);
        }
    }
}
