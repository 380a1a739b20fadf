package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** G9 with real processes, one of which is paused and one of which is killed in the midst of its transaction. */
@WithOwnReplicaSet(nodes = 1, parameters = "transactionLifetimeLimitSeconds=5")
class OncePerOccurrenceProcessesIT {

    private static final int COUNT =
            Integer.getInteger("leasehold.once.occurrences", Boolean.getBoolean("leasehold.nightly") ? 2_000 : 200);

    private final List<ChildProcess> processes = new ArrayList<>();
    private Engines stored;
    private TestDatabase database;

    @BeforeEach
    void begin(TestDatabase database) {
        this.database = database;
        stored = new Engines(database);
        database.database().createCollection(OnceProcess.EFFECTS);
    }

    @AfterEach
    void end() throws InterruptedException {
        for (ChildProcess process : processes) {
            process.kill();
        }
        stored.close();
    }

    private ChildProcess start(String instance) throws Exception {
        ChildProcess process = ChildProcess.startOnce(database, instance);
        processes.add(process);
        return process;
    }

    @Test
    @DisplayName(
            "G9: of four processes one is paused and one killed inside of its transaction, and each occurrence has its effect exactly once")
    void eachOccurrenceHasItsEffectExactlyOnce() throws Exception {
        ChildProcess paused = start("paused");
        ChildProcess killed = start("killed");
        ChildProcess one = start("one");
        ChildProcess other = start("other");
        int pausedIn = COUNT / 4;
        int killedIn = COUNT / 2;

        // Alone up to there, so that it is certain to be inside of a transaction of its own when it is paused.
        paused.order("do " + COUNT + " " + pausedIn);
        assertThat(paused.awaitAnswer()).isEqualTo("inside " + pausedIn);
        paused.pause();
        // The server ends its transaction, its session runs out, and the next process is alone up to the middle.
        killed.order("do " + COUNT + " " + killedIn);
        assertThat(killed.awaitAnswer()).isEqualTo("inside " + killedIn);
        killed.kill();
        one.order("do " + COUNT + " -1");
        other.order("do " + COUNT + " -1");
        awaitDone(killedIn + COUNT / 8);
        paused.resume();
        // The line for which it waits inside of its transaction, which is over.
        paused.order("go on");

        int done = Integer.parseInt(paused.awaitAnswer())
                + Integer.parseInt(one.awaitAnswer())
                + Integer.parseInt(other.awaitAnswer());

        assertThat(effects()).as("effects of each occurrence").isEqualTo(onceEach());
        assertThat(done).as("told to have done it, without the killed one").isEqualTo(COUNT - (killedIn - pausedIn));
        assertThat(recorded())
                .containsExactlyElementsOf(
                        IntStream.range(0, COUNT).mapToObj(OnceProcess::name).toList());
        assertThat(by(pausedIn)).as("the paused one was too late").isNotEqualTo("paused");
        assertThat(by(killedIn)).isNotEqualTo("killed");
    }

    /** Until others have done the occurrence of that number. */
    private void awaitDone(int number) {
        Awaitility.await()
                .atMost(ChildProcess.LONG_PATIENCE)
                .until(() -> database.database()
                                .getCollection(OnceProcess.EFFECTS)
                                .countDocuments(Filters.eq("occurrence", number))
                        > 0);
    }

    private List<Document> effects() {
        return database.database()
                .getCollection(OnceProcess.EFFECTS)
                .aggregate(List.of(
                        Aggregates.group("$occurrence", Accumulators.sum("effects", 1)),
                        Aggregates.sort(new Document("_id", 1))))
                .into(new ArrayList<>());
    }

    private static List<Document> onceEach() {
        return IntStream.range(0, COUNT)
                .mapToObj(number -> new Document("_id", number).append("effects", 1))
                .toList();
    }

    private Set<String> recorded() {
        Set<String> recorded = new TreeSet<>();
        for (BsonDocument each : stored.documents().find(Filters.eq("type", "occurrence"))) {
            recorded.add(OccurrenceRecord.of(each).occurrence());
        }
        return recorded;
    }

    private String by(int number) {
        return database.database()
                .getCollection(OnceProcess.EFFECTS)
                .find(Filters.eq("occurrence", number))
                .first()
                .getString("by");
    }
}
