package dev.leasehold.engine.internal.mongo.documents;

import static dev.leasehold.engine.internal.mongo.documents.Fixture.DRIVER_SESSION;
import static dev.leasehold.engine.internal.mongo.documents.Fixture.MINUTE;
import static dev.leasehold.engine.internal.mongo.documents.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.mongo.documents.Fixture.SINCE;
import static dev.leasehold.engine.internal.mongo.documents.Fixture.Z;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The stored documents of schema 1, as files that no change of the code changes along. A test that fails here says that
 * engines of two versions in one namespace no longer understand each other: the schema needs another number, or the
 * change another way.
 *
 * <p>A new kind of document gets a file in {@code golden/schema-1} and a line in {@link #goldens()}. Extended JSON,
 * canonical, so that int32, int64, dates and UUIDs are told apart. A file is never edited once its version was released.
 */
class GoldenDocumentsTest {

    private static final Path FOLDER = Path.of("src/test/resources/golden/schema-1");

    private static final String WRITER = "shop:4711#9f2c";
    private static final String OTHER = "shop:4712#77aa";

    /**
     * @param file the name of the file, without its ending
     * @param written what today's code leaves in the database
     * @param read what it reads of the file
     * @param expected the value that it must read
     */
    private record Golden(String file, BsonDocument written, Object read, Object expected) {

        @Override
        public String toString() {
            return file;
        }
    }

    static List<Golden> goldens() {
        Partition whole = Partition.whole(NAMESPACE);
        LeaseDocument term = lease("worker-7", Z + MINUTE, "run 1", 0);
        LeaseDocument session = lease("worker-7", null, null, 0);
        LeaseDocument striped = lease("worker-7", null, null, 2);
        LeaseDocument payload = new LeaseDocument(
                NAMESPACE, "nightly", "worker-7", 3, WRITER, Z, null, 0, null, SINCE, Set.of(), 0, "10.0.0.7:8080");
        LeaseDocument vacant = lease(null, null, null, 0);
        LeaseDocument keptFree = lease(null, Z + MINUTE, "forced by ops", 0);
        BsonDocument newClock = applied(new BsonDocument(), Updates.clockIfNone(whole, 1_794_819_853_000_002L));
        return List.of(
                lease("lease-term", term, first(term)),
                lease("lease-session", session, first(session)),
                lease("lease-striped", striped, first(striped)),
                lease("lease-payload", payload, applied(first(session), Updates.nextOf(payload))),
                // What a release and a forced expiry make of a held lease.
                lease("lease-vacant", vacant, applied(first(payload), Updates.nextOf(vacant))),
                lease("lease-kept-free", keptFree, applied(first(session), Updates.nextOf(keptFree))),
                lease("lease-pinned", session.withPin("ops", true), applied(first(session), pin("ops"))),
                occurrence("occurrence", new Tenure(NAMESPACE, "nightly", "worker-7", 3), "2073-03-03"),
                queue(
                        "queue-waiters",
                        applied(
                                new BsonDocument(),
                                queue(new LeaseWrite.Enqueue("nightly", waiter(OTHER, 1, null, 0, null))),
                                queue(new LeaseWrite.Enqueue(
                                        "nightly", waiter(WRITER, -3, "run 1", 2, "10.0.0.8:8080"))),
                                queue(new LeaseWrite.Withdraw("nightly", OTHER, Set.of(Z))))),
                gate("gate-held", striped),
                gate("gate-vacant", vacant),
                clock("clock-new", whole, newClock, clock(0, Map.of())),
                clock(
                        "clock-partitioned",
                        partition(3, 4),
                        applied(new BsonDocument(), Updates.clockIfNone(partition(3, 4), 0)),
                        new ClockDocument(0, 0, Map.of())),
                clock(
                        "clock-writers",
                        whole,
                        applied(
                                newClock,
                                clock(new ClockWrite.Register(WRITER, Z, DRIVER_SESSION, null)),
                                clock(new ClockWrite.Register(OTHER, Z, DRIVER_SESSION, 30 * MINUTE)),
                                Updates.clock(new ClockStatement(WRITER, Z, Z + 2, null, Set.of(), Map.of(), null)),
                                clock(new ClockWrite.Join(WRITER, Z + 2, Z + 3, MINUTE)),
                                clock(new ClockWrite.Heartbeat(OTHER, Z, Z + 5)),
                                clock(new ClockWrite.Unlist(OTHER))),
                        clock(
                                6,
                                Map.of(
                                        WRITER,
                                        new WriterEntry.Sound(WRITER, Z + 3, Z + 2, MINUTE, DRIVER_SESSION),
                                        OTHER,
                                        new WriterEntry.Sound(OTHER, Z + 5, null, 30 * MINUTE, null)))));
    }

    private static Golden lease(String file, LeaseDocument document, BsonDocument written) {
        return new Golden(
                file, written, new LeaseCodec(NAMESPACE).decode(stored(file)), new StoredLease.Sound(document));
    }

    /** What an assertion writes in the transaction of its caller, and what lists and looks decode. */
    private static Golden occurrence(String file, Tenure tenure, String occurrence) {
        MongoCollection<BsonDocument> unused = Fixture.withoutServer();
        UpdateOneModel<BsonDocument> record = LeaseAssertion.of(tenure, unused)
                .<BsonDocument>onceAsWriteModels(occurrence)
                .get(1);
        BsonDocument written = applied(new BsonDocument(), record.getUpdate().toBsonDocument());
        return new Golden(
                file,
                written,
                OccurrenceRecord.of(stored(file)),
                new OccurrenceRecord(tenure, occurrence, GoldenUpdate.SERVER_TIME));
    }

    private static Golden queue(String file, BsonDocument written) {
        StoredQueue expected =
                new StoredQueue("nightly", List.of(waiter(WRITER, -3, "run 1", 2, "10.0.0.8:8080")), null);
        return new Golden(file, written, new QueueCodec(NAMESPACE).decode(stored(file)), expected);
    }

    private static BsonDocument queue(LeaseWrite.OfQueue write) {
        return Updates.queue(NAMESPACE, write);
    }

    private static Waiter waiter(
            String writer, int priority, @Nullable String comment, int stripes, @Nullable String payload) {
        return new Waiter(writer, Z, "worker-8", priority, comment, stripes, payload);
    }

    /** No engine reads a stripe. */
    private static Golden gate(String file, LeaseDocument document) {
        return new Golden(file, applied(new BsonDocument(), Updates.stripe(document)), stored(file), stored(file));
    }

    private static Golden clock(String file, Partition partition, BsonDocument written, ClockDocument expected) {
        ClockCodec codec = new ClockCodec(partition, new DriftCheck(partition.id(), "a", 1_000));
        return new Golden(file, written, codec.decode(stored(file)), expected);
    }

    private static ClockDocument clock(long ticks, Map<String, WriterEntry> writers) {
        return new ClockDocument(ticks, 1_794_819_853_000_002L, writers);
    }

    private static BsonDocument clock(ClockWrite write) {
        return Updates.clock(write, 1_000);
    }

    private static BsonDocument pin(String entity) {
        return Updates.pin(new LeaseWrite.Pin("nightly", new LeaseGuard(WRITER, Z, 3), entity, true));
    }

    private static LeaseDocument lease(
            @Nullable String holder, @Nullable Long expiry, @Nullable String comment, int stripes) {
        return new LeaseDocument(
                NAMESPACE, "nightly", holder, 3, WRITER, Z, expiry, 0, comment, SINCE, Set.of(), stripes, null);
    }

    private static BsonDocument first(LeaseDocument document) {
        return applied(new BsonDocument(), Updates.firstOf(document));
    }

    private static Partition partition(int index, int count) {
        return new Partition(NAMESPACE, index, count);
    }

    private static BsonDocument applied(BsonDocument document, BsonDocument... updates) {
        BsonDocument changed = document.clone();
        for (BsonDocument update : updates) {
            GoldenUpdate.apply(update, changed);
        }
        return changed;
    }

    private static BsonDocument stored(String file) {
        try {
            return BsonDocument.parse(Files.readString(FOLDER.resolve(file + ".json")));
        } catch (IOException e) {
            throw new AssertionError("each document has a file, and there is no " + file + ".json", e);
        }
    }

    /** The server orders the fields of an upsert as it likes, and an engine must not mind: they are compared in any order. */
    private static BsonDocument withoutId(BsonDocument document) {
        BsonDocument fields = document.clone();
        fields.remove("_id");
        return fields;
    }

    private static String shown(BsonDocument document) {
        return document.toJson(JsonWriterSettings.builder()
                .outputMode(JsonMode.EXTENDED)
                .indent(true)
                .build());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    @DisplayName("Today's engine reads the document that a released engine left")
    void isRead(Golden golden) {
        assertThat(golden.read()).isEqualTo(golden.expected());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    @DisplayName("Today's engine writes the document that a released engine knows, field by field and type by type")
    void isWritten(Golden golden) {
        assertThat(golden.written())
                .as("written today: %s", shown(golden.written()))
                .isEqualTo(withoutId(stored(golden.file())));
    }

    @Test
    @DisplayName("Each file is read and written by a test")
    void noFileIsLeftOut() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".json", "")))
                    .containsExactlyInAnyOrderElementsOf(
                            goldens().stream().map(Golden::file).toList());
        }
    }

    @Test
    @DisplayName("Each file names its schema: the documents of another schema are other files")
    void ofSchemaOne() {
        assertThat(ClockDocument.SCHEMA).isEqualTo(1);
    }
}
