package dev.leasehold.engine.internal.mongo.documents;

import static dev.leasehold.engine.internal.mongo.documents.Fixture.DRIVER_SESSION;
import static dev.leasehold.engine.internal.mongo.documents.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.mongo.documents.Fixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardsTest {

    static final String[] HOSTILE_TEXTS = Fixture.HOSTILE_TEXTS;

    private static ClockStatement plain(String writer) {
        return new ClockStatement(writer, 5, 9, null, Set.of(), Map.of(), null);
    }

    @Test
    void aTransactionRestsOnAKnownClockOnTheWritersOwnTimeAndOnWhatElseIsPinned() {
        assertThat(Guards.clock(NAMESPACE, plain("w"))).isEqualTo(BsonDocument.parse("""
                {_id: "billing", type: "clock", schema: {$lte: 1},
                 "writers.w.time": {$gte: NumberLong(5), $lt: NumberLong(9)}}"""));

        ClockStatement statement =
                new ClockStatement("w", 5, 9, 41L, Set.of("u2", "u1"), Map.of("v2", 8L, "v1", 7L), 50L);
        assertThat(Guards.clock(NAMESPACE, statement).toJson())
                .isEqualTo(BsonDocument.parse("""
                {_id: "billing", type: "clock", schema: {$lte: 1},
                 "writers.w.time": {$gte: NumberLong(5), $lt: NumberLong(9)},
                 tokenFloor: NumberLong(41), "writers.u1": {$exists: false}, "writers.u2": {$exists: false},
                 "writers.v1.time": NumberLong(7), "writers.v2.time": NumberLong(8)}""").toJson());
    }

    @Test
    void aWriterCannotRestOnItsOwnAbsenceNorEvictItself() {
        ClockStatement absent = new ClockStatement("w", 5, 9, null, Set.of("w"), Map.of(), null);
        ClockStatement evicted = new ClockStatement("w", 5, 9, null, Set.of(), Map.of("w", 5L), null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Guards.clock(NAMESPACE, absent))
                .withMessage("writer 'w' writes and cannot be absent as well");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Guards.clock(NAMESPACE, evicted))
                .withMessage("writer 'w' writes and cannot be evicted as well");
    }

    static Stream<Arguments> guardsOfClockWrites() {
        String growing = "'writers.w.time': {$gte: NumberLong(4), $lt: NumberLong(6)}";
        String exact = "'writers.w.time': NumberLong(4)";
        String withSession = ", 'writers.w.session': {$exists: true}";
        String withoutSession = ", 'writers.w.session': {$exists: false}";
        return Stream.of(
                arguments(
                        new ClockWrite.Register("w", 4, DRIVER_SESSION, null),
                        "partitions: {$exists: false}, writers: {$type: 'object'}, 'writers.w': {$exists: false}"),
                arguments(new ClockWrite.Join("w", 4, 6, 30), growing + withoutSession),
                arguments(new ClockWrite.Heartbeat("w", 4, 6), growing + withSession),
                arguments(new ClockWrite.Leave("w"), "'writers.w': {$exists: true}"),
                arguments(new ClockWrite.Unlist("w"), "'writers.w': {$exists: true}"),
                arguments(new ClockWrite.Clear(Map.of(), Map.of("w", 4L)), exact + withSession),
                arguments(new ClockWrite.Clear(Map.of("w", 4L), Map.of()), exact + withoutSession));
    }

    @ParameterizedTest
    @MethodSource("guardsOfClockWrites")
    void aWriteOfTheClockNeedsTheEntryAsItWasSeen(ClockWrite write, String guard) {
        assertThat(Guards.clock(WHOLE, write))
                .isEqualTo(BsonDocument.parse("{_id: 'billing', type: 'clock', schema: {$lte: 1}, " + guard + "}"));
    }

    @Test
    void aRegistrationInAPartitionNeedsAClockForAsMany() {
        ClockWrite write = new ClockWrite.Register("w", 4, DRIVER_SESSION, null);

        assertThat(Guards.clock(new Partition(NAMESPACE, 3, 4), write)).isEqualTo(BsonDocument.parse("""
                {_id: "billing~3", type: "clock", schema: {$lte: 1}, partitions: 4,
                 writers: {$type: "object"}, "writers.w": {$exists: false}}"""));
    }

    @Test
    void severalRemovalsNeedTheExactTimeOfEach() {
        ClockWrite clear = new ClockWrite.Clear(Map.of("w", 4L, "u", 6L), Map.of("v", 5L));

        assertThat(Guards.clock(WHOLE, clear)).isEqualTo(BsonDocument.parse("""
                {_id: "billing", type: "clock", schema: {$lte: 1},
                 "writers.u.time": NumberLong(6), "writers.u.session": {$exists: false},
                 "writers.w.time": NumberLong(4), "writers.w.session": {$exists: false},
                 "writers.v.time": NumberLong(5), "writers.v.session": {$exists: true}}"""));
    }

    @Test
    void aLeaseIsGuardedByItsLastWriteAndItsToken() {
        assertThat(Guards.leaseAsRead(NAMESPACE, "nightly", new LeaseGuard("w", 4, 3)))
                .isEqualTo(BsonDocument.parse("""
                {_id: "billing#nightly", writer: "w", written: NumberLong(4),
                 token: {$eq: NumberLong(3), $type: "long"}}"""));
    }

    @Test
    void takerOfALeaseFindsNoPinAndItsHolderDoesNotCare() {
        LeaseGuard guard = new LeaseGuard("w", 4, 3);

        assertThat(Guards.lease(NAMESPACE, new LeaseWrite.Replace(guard, Fixture.held(), true)))
                .isEqualTo(BsonDocument.parse("""
                        {_id: "billing#nightly", writer: "w", written: NumberLong(4),
                         token: {$eq: NumberLong(3), $type: "long"}, "pins.0": {$exists: false}}"""));
        assertThat(Guards.lease(NAMESPACE, new LeaseWrite.Replace(guard, Fixture.held(), false)))
                .isEqualTo(Guards.leaseAsRead(NAMESPACE, "nightly", guard));
    }

    @Test
    void aFirstDocumentMeetsNothingThatLooksLikeALease() {
        assertThat(Guards.noLease(NAMESPACE, "nightly")).isEqualTo(BsonDocument.parse("""
                {_id: "billing#nightly", written: {$exists: false}, type: {$exists: false}}"""));
    }

    @ParameterizedTest
    @FieldSource("HOSTILE_TEXTS")
    void hostileNamesStandOnlyWhereAValueIsExpected(String name) {
        assertThat(Guards.leaseAsRead(NAMESPACE, name, new LeaseGuard(name, 4, 3))
                        .keySet())
                .containsExactly("_id", "writer", "written", "token");
        assertThat(Guards.noLease(NAMESPACE, name).keySet()).containsExactly("_id", "written", "type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "$a", "a$", "a\0b"})
    void aWriterThatIsNoKeyFailsLoudly(String writer) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Guards.clock(NAMESPACE, plain(writer)))
                .withMessageContaining("writer " + LeaseNames.quote(writer) + " is refused");
        assertThatIllegalArgumentException().isThrownBy(() -> Guards.clock(WHOLE, new ClockWrite.Unlist(writer)));
    }
}
