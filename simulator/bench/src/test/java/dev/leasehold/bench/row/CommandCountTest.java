package dev.leasehold.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ConnectionDescription;
import com.mongodb.connection.ServerId;
import com.mongodb.event.CommandStartedEvent;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class CommandCountTest {

    private final CommandCount count = new CommandCount();

    private void send(String command) {
        BsonDocument document = BsonDocument.parse(command);
        ConnectionDescription connection =
                new ConnectionDescription(new ServerId(new ClusterId(), new ServerAddress()));
        count.commandStarted(
                new CommandStartedEvent(null, 1, 1, connection, "bench", document.getFirstKey(), document));
    }

    @Test
    void everyDocumentOfABatchCounts() {
        send("{update: 'leases', updates: [{q: {}, u: {}}, {q: {}, u: {}}]}");
        send("{insert: 'leases', documents: [{}, {}, {}]}");
        send("{findAndModify: 'leases', query: {}}");

        assertThat(count.writes()).isEqualTo(6);
    }

    @Test
    void readsAndWhatTheDriverSaysToItselfDoNotCount() {
        send("{find: 'leases'}");
        send("{getMore: 1, collection: 'leases'}");
        send("{hello: 1}");

        assertThat(count.writes()).isZero();
    }
}
