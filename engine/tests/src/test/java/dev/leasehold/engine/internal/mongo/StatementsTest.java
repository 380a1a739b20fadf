package dev.leasehold.engine.internal.mongo;

import static dev.leasehold.engine.internal.mongo.documents.Fixture.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import dev.leasehold.engine.internal.mongo.documents.Fixture;
import dev.leasehold.engine.internal.mongo.documents.Guards;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementsTest {

    private static final LeaseGuard GUARD = new LeaseGuard("w", 4, 3);

    /** A transaction of one write of each kind, with the removal in front. */
    private final Statements statements = new Statements(
            NAMESPACE,
            new GuardedTransaction(
                    new ClockStatement("w", 5, 9, null, Set.of(), Map.of(), 3L),
                    List.of(
                            new LeaseWrite.Remove("c", GUARD, 0),
                            new LeaseWrite.Insert(named("a")),
                            new LeaseWrite.Replace(GUARD, named("b"), false)),
                    false));

    /** A first document with two stripes, a next one with a stripe, and one that is removed with its stripe. */
    private final Statements striped = new Statements(
            NAMESPACE,
            new GuardedTransaction(
                    new ClockStatement("w", 5, 9, null, Set.of(), Map.of(), 3L),
                    List.of(
                            new LeaseWrite.Insert(new LeaseDocument(
                                    NAMESPACE, "a", "h", 1, "w", 9, 10L, 0, null, Fixture.SINCE, Set.of(), 2, null)),
                            new LeaseWrite.Replace(GUARD, named("b"), false, 1),
                            new LeaseWrite.Remove("c", GUARD, 1)),
                    false));

    private static LeaseDocument named(String name) {
        return new LeaseDocument(NAMESPACE, name, "h", 1, "w", 9, 10L, 0, null, Fixture.SINCE, Set.of(), 0, null);
    }

    /** With as many upserts, beginning with that place. */
    private static BulkWriteResult counts(int matched, int upserted, int deleted, int firstUpsert) {
        List<BulkWriteUpsert> upserts = IntStream.range(firstUpsert, firstUpsert + upserted)
                .mapToObj(index -> new BulkWriteUpsert(index, new BsonString("" + index)))
                .toList();
        return BulkWriteResult.acknowledged(0, matched, deleted, matched, upserts, List.of());
    }

    @Test
    void theClockComesFirstAndRemovalsComeLast() {
        assertThat(statements.together().models())
                .satisfiesExactly(
                        clock -> assertThat(filterOf(clock)).contains("\"_id\": \"billing\""),
                        insert -> assertThat(filterOf(insert)).contains("billing#a"),
                        replace -> assertThat(filterOf(replace)).contains("billing#b"),
                        remove -> assertThat(remove)
                                .isInstanceOfSatisfying(
                                        DeleteOneModel.class,
                                        model -> assertThat(model.getFilter())
                                                .isEqualTo(Guards.lease(
                                                        NAMESPACE, new LeaseWrite.Remove("c", GUARD, 0)))));
    }

    private static String filterOf(Object model) {
        Bson filter = model instanceof DeleteOneModel<?> removal
                ? removal.getFilter()
                : ((UpdateOneModel<?>) model).getFilter();
        return filter.toBsonDocument().toJson();
    }

    @Test
    void theClockApartAndTheLeasesAreTheSameStatements() {
        assertThat(statements.clock().models())
                .containsExactly(statements.together().models().get(0));
        assertThat(statements.leases().models())
                .isEqualTo(statements.together().models().subList(1, 4));
    }

    @Test
    void onlyAFirstDocumentIsAnUpsert() {
        assertThat(statements.together().models())
                .filteredOn(UpdateOneModel.class::isInstance)
                .extracting(model -> ((UpdateOneModel<?>) model).getOptions().isUpsert())
                .containsExactly(false, true, false);
    }

    @Test
    void allGuardsHeldWhenEveryStatementDidItsOneThing() {
        assertThat(statements.together().allGuardsHeld(counts(2, 1, 1, 1))).isTrue();
        assertThat(statements.clock().allGuardsHeld(counts(1, 0, 0, 0))).isTrue();
        assertThat(statements.leases().allGuardsHeld(counts(1, 1, 1, 0))).isTrue();
    }

    @Test
    void aPinIsAnUpdateOfADocumentThatIsThere() {
        Statements pinning = new Statements(
                NAMESPACE,
                new GuardedTransaction(
                        new ClockStatement("w", 5, 9, null, Set.of(), Map.of(), null),
                        List.of(new LeaseWrite.Pin("a", GUARD, "ops", true)),
                        false));

        assertThat(filterOf(pinning.leases().models().get(0)))
                .isEqualTo(Guards.leaseAsRead(NAMESPACE, "a", GUARD).toJson());
        assertThat(pinning.together().allGuardsHeld(counts(2, 0, 0, 0))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 0, 1", "2, 1, 0", "0, 0, 0", "3, 0, 1", "3, 1, 0"})
    void anyOtherCountIsAMissEvenIfTheSumIsRight(int matched, int upserted, int deleted) {
        assertThat(statements.together().allGuardsHeld(counts(matched, upserted, deleted, 1)))
                .isFalse();
    }

    @Test
    void aClockApartThatDoesNotMatchIsAMiss() {
        assertThat(statements.clock().allGuardsHeld(counts(0, 0, 0, 0))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "1, 0, 1", "1, 1, 0", "2, 0, 1", "2, 1, 0", "2, 1, 1"})
    void anyOtherCountOfTheLeasesIsAMiss(int matched, int upserted, int deleted) {
        assertThat(statements.leases().allGuardsHeld(counts(matched, upserted, deleted, 0)))
                .isFalse();
    }

    @Test
    @DisplayName("AS-13: behind the lease come its stripes, and they are removed behind it")
    void stripesComeBehindTheirLease() {
        assertThat(striped.leases().models())
                .satisfiesExactly(
                        insert -> assertThat(filterOf(insert)).contains("billing#a"),
                        first -> assertThat(filterOf(first)).isEqualTo("{\"_id\": \"billing!1#a\"}"),
                        second -> assertThat(filterOf(second)).isEqualTo("{\"_id\": \"billing!2#a\"}"),
                        replace -> assertThat(filterOf(replace)).contains("billing#b"),
                        first -> assertThat(filterOf(first)).isEqualTo("{\"_id\": \"billing!1#b\"}"),
                        written -> assertThat(filterOf(written)).isEqualTo("{\"_id\": \"billing!1#c\"}"),
                        remove -> assertThat(filterOf(remove)).contains("billing#c"),
                        removed -> assertThat(filterOf(removed)).isEqualTo("{\"_id\": \"billing!1#c\"}"));
    }

    @Test
    void aStripeMayBeThereOrBeMadeButTheLeaseMustBeMade() {
        Statements.Part part = striped.leases();

        assertThat(part.allGuardsHeld(counts(5, 1, 2, 0)))
                .as("all stripes are there")
                .isTrue();
        assertThat(part.allGuardsHeld(counts(3, 3, 2, 0)))
                .as("those of the first lease are made")
                .isTrue();
        assertThat(part.allGuardsHeld(counts(5, 1, 2, 1)))
                .as("the lease was there, a stripe was not")
                .isFalse();
        assertThat(part.allGuardsHeld(counts(4, 1, 2, 0)))
                .as("a lease is not as it was seen")
                .isFalse();
        assertThat(part.allGuardsHeld(counts(5, 1, 1, 0)))
                .as("the lease to be removed is not")
                .isFalse();
    }
}
