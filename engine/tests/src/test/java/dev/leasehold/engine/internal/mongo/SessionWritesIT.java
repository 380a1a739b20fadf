package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.mongo.documents.Fixture;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a session begins, lives and ends in the clock document. {@code a} is registered and has none at first. */
class SessionWritesIT extends WithStores {

    private static final long SESSION = Fixture.MINUTE / 2;

    private TestWriter b;

    SessionWritesIT(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void anotherWriter() {
        b = stores.writer("b");
    }

    private WriterEntry.Sound entry(String writer) {
        return (WriterEntry.Sound) b.store().survey().writers().stream()
                .filter(entry -> entry.writer().equals(writer))
                .findAny()
                .orElseThrow();
    }

    @Test
    @DisplayName("SE-3: a heartbeat is one write of the clock document, and leaves the leases byte for byte")
    void aHeartbeatMovesTheTimeAlone() {
        a.beats(a.join(SESSION)).commits(a.insert("x"), a.insert("y"));
        List<BsonDocument> leases = List.of(stores.lease("x"), stores.lease("y"));
        long ticks = stores.ticks();
        long transactionNanos = a.stampNanos();
        stores.sent().forget();

        a.beats(a.heartbeat());

        assertThat(stores.sent().names()).containsExactly("update");
        assertThat(stores.sent().the("update")).doesNotContainKey("autocommit");
        assertThat(entry("a"))
                .isEqualTo(new WriterEntry.Sound(
                        "a",
                        transactionNanos + 1,
                        transactionNanos,
                        SESSION,
                        a.store().driverSession()));
        assertThat(stores.ticks()).isEqualTo(ticks + 1);
        assertThat(List.of(stores.lease("x"), stores.lease("y"))).isEqualTo(leases);
    }
}
