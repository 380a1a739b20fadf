package dev.leasehold.engine.internal.mongo.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.world.LogCapture;
import org.junit.jupiter.api.Test;

/** What is logged of a driver session that is of no use any more. No server takes part. */
class StoreSessionsTest {

    @Test
    void sessionThatCannotBeEndedIsDebugWithNamespaceAndWriter() {
        try (MongoClient client = MongoClients.create("mongodb://127.0.0.1:1");
                LogCapture log = new LogCapture()) {
            StoreSessions sessions = new StoreSessions(client, "billing");
            sessions.usedBy("a#1");
            sessions.close();

            sessions.forgetLastTransaction();

            assertThat(log.messages(Level.DEBUG))
                    .singleElement()
                    .asString()
                    .startsWith("namespace 'billing', writer 'a#1': a driver session could not be ended");
        }
    }
}
