package dev.leasehold.engine.internal.mongo.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

class UpdatesTest {

    static final String[] HOSTILE_TEXTS = Fixture.HOSTILE_TEXTS;

    static Stream<ClockWrite> clockWrites() {
        return Stream.of(
                new ClockWrite.Register("w", 4, Fixture.DRIVER_SESSION, null),
                new ClockWrite.Register("w", 4, Fixture.DRIVER_SESSION, 30L),
                new ClockWrite.Join("w", 4, 6, 30),
                new ClockWrite.Heartbeat("w", 4, 6),
                new ClockWrite.Leave("w"),
                new ClockWrite.Clear(Map.of(), Map.of("w", 4L)),
                new ClockWrite.Barrier("w"),
                new ClockWrite.Unlist("w"),
                new ClockWrite.Clear(Map.of("w", 4L), Map.of()));
    }

    @Test
    void theTokenFloorIsOnlyEverRaised() {
        ClockStatement statement = new ClockStatement("w", 5, 9, null, Set.of(), Map.of(), 50L);

        assertThat(Updates.clock(statement).get("$max")).isEqualTo(BsonDocument.parse("{tokenFloor: NumberLong(50)}"));
    }

    @ParameterizedTest
    @MethodSource("clockWrites")
    @DisplayName("TX-3: every write of the clock document changes a byte")
    void everyWriteOfTheClockTicks(ClockWrite write) {
        assertThat(Updates.clock(write, 1_000).get("$inc")).isEqualTo(BsonDocument.parse("{ticks: NumberLong(1)}"));
    }

    @Test
    void leavingEvictingAndPruningTakeTheWholeEntry() {
        for (ClockWrite write : List.of(
                new ClockWrite.Leave("w"),
                new ClockWrite.Clear(Map.of(), Map.of("w", 4L)),
                new ClockWrite.Clear(Map.of("w", 4L), Map.of()))) {
            assertThat(Updates.clock(write, 1_000).getDocument("$unset").keySet())
                    .containsExactly("writers.w");
        }
    }

    @Test
    void aTransactionTakesTheEntriesOfThoseItEvicts() {
        ClockStatement statement = new ClockStatement("w", 5, 9, null, Set.of(), Map.of("v2", 8L, "v1", 7L), null);

        assertThat(Updates.clock(statement).getDocument("$unset").keySet()).containsExactly("writers.v1", "writers.v2");
    }

    @Test
    void aPinIsOneMoreOrOneLess() {
        LeaseGuard guard = new LeaseGuard("w", 4, 3);

        assertThat(Updates.pin(new LeaseWrite.Pin("nightly", guard, "ops", true)))
                .isEqualTo(BsonDocument.parse("{$addToSet: {pins: 'ops'}}"));
        assertThat(Updates.pin(new LeaseWrite.Pin("nightly", guard, "ops", false)))
                .isEqualTo(BsonDocument.parse("{$pull: {pins: 'ops'}}"));
    }

    @Test
    void severalRemovalsTakeTheWholeEntries() {
        ClockWrite clear = new ClockWrite.Clear(Map.of("w", 4L), Map.of("v", 5L));

        assertThat(Updates.clock(clear, 1_000)).isEqualTo(BsonDocument.parse("""
            {$unset: {"writers.v": "", "writers.w": ""}, $inc: {ticks: NumberLong(1)}}\
            """));
    }

    @Test
    @DisplayName("CO-7: an engine's write names its own fields alone, and leaves the gates")
    void aNextDocumentLeavesTheGatesAndWhatIsNotKnown() {
        assertThat(Updates.nextOf(Fixture.held())).isEqualTo(BsonDocument.parse("""
            {$set: {holder: "worker-7", token: NumberLong(3), writer: "shop:4711#9f2c",
                    written: NumberLong("3255759600000000005"), expiry: NumberLong("3255759660000000005"),
                    comment: "run 1", since: ISODate("2073-03-03T09:40:00Z")}, $unset: {payload: ""}}\
            """));
    }

    @ParameterizedTest
    @FieldSource("HOSTILE_TEXTS")
    void hostileTextsAreSetAsTheyAre(String text) {
        LeaseDocument document = new LeaseDocument(
                Fixture.NAMESPACE, text, text, 1, "w", 9, 10L, 0, text, Fixture.SINCE, Set.of(), 0, null);

        BsonDocument set = Updates.firstOf(document).getDocument("$set");

        assertThat(set.get("name")).isEqualTo(new BsonString(text));
        assertThat(set.get("holder")).isEqualTo(new BsonString(text));
        assertThat(set.get("comment")).isEqualTo(new BsonString(text));
        assertThat(set.keySet()).allMatch(key -> key.matches("[a-z]+"));
    }
}
