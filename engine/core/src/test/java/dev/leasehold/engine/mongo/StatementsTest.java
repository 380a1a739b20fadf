package dev.leasehold.engine.mongo;

import static dev.leasehold.engine.mongo.Fixture.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.LeaseGuard;
import dev.leasehold.engine.store.LeaseWrite;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementsTest {

    private static final LeaseGuard GUARD = new LeaseGuard("w", 4);

    /** A transaction of one write of each kind, with the removal in front. */
    private final Statements statements = new Statements(
            NAMESPACE,
            new GuardedTransaction(
                    new ClockStatement("w", 5, 9, null, Set.of(), Map.of(), 3L),
                    List.of(
                            new LeaseWrite.Remove("c", GUARD, 3),
                            new LeaseWrite.Insert(named("a")),
                            new LeaseWrite.Replace(GUARD, named("b"), false))));

    private static LeaseDocument named(String name) {
        return new LeaseDocument(NAMESPACE, name, "h", 1, "w", 9, 10L, 0, null, Fixture.SINCE, Set.of());
    }

    private static BulkWriteResult counts(int matched, int upserted, int deleted) {
        List<BulkWriteUpsert> upserts = IntStream.range(0, upserted)
                .mapToObj(index -> new BulkWriteUpsert(index, new BsonString("" + index)))
                .toList();
        return BulkWriteResult.acknowledged(0, matched, deleted, matched, upserts, List.of());
    }

    @Test
    void theClockComesFirstAndRemovalsComeLast() {
        assertThat(statements.together().models()).satisfiesExactly(
                clock -> assertThat(filterOf(clock)).contains("\"_id\": \"billing\""),
                insert -> assertThat(filterOf(insert)).contains("billing#a"),
                replace -> assertThat(filterOf(replace)).contains("billing#b"),
                remove -> assertThat(remove).isInstanceOfSatisfying(
                        DeleteOneModel.class,
                        model -> assertThat(model.getFilter())
                                .isEqualTo(Guards.lease(NAMESPACE, new LeaseWrite.Remove("c", GUARD, 3)))));
    }

    private static String filterOf(Object model) {
        return ((UpdateOneModel<?>) model).getFilter().toBsonDocument().toJson();
    }

    @Test
    void theClockApartAndTheLeasesAreTheSameStatements() {
        assertThat(statements.clock().models()).containsExactly(statements.together().models().get(0));
        assertThat(statements.leases().models()).isEqualTo(statements.together().models().subList(1, 4));
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
        assertThat(statements.together().allGuardsHeld(counts(2, 1, 1))).isTrue();
        assertThat(statements.clock().allGuardsHeld(counts(1, 0, 0))).isTrue();
        assertThat(statements.leases().allGuardsHeld(counts(1, 1, 1))).isTrue();
    }

    @Test
    void aPinIsAnUpdateOfADocumentThatIsThere() {
        Statements pinning = new Statements(
                NAMESPACE,
                new GuardedTransaction(
                        new ClockStatement("w", 5, 9, null, Set.of(), Map.of(), null),
                        List.of(new LeaseWrite.Pin("a", GUARD, "ops", true))));

        assertThat(filterOf(pinning.leases().models().get(0)))
                .isEqualTo(Guards.lease(NAMESPACE, "a", GUARD).toJson());
        assertThat(pinning.together().allGuardsHeld(counts(2, 0, 0))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 0, 1", "2, 1, 0", "0, 0, 0", "3, 0, 1", "3, 1, 0"})
    void anyOtherCountIsAMissEvenIfTheSumIsRight(int matched, int upserted, int deleted) {
        assertThat(statements.together().allGuardsHeld(counts(matched, upserted, deleted))).isFalse();
    }

    @Test
    void aClockApartThatDoesNotMatchIsAMiss() {
        assertThat(statements.clock().allGuardsHeld(counts(0, 0, 0))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "1, 0, 1", "1, 1, 0", "2, 0, 1", "2, 1, 0", "2, 1, 1"})
    void anyOtherCountOfTheLeasesIsAMiss(int matched, int upserted, int deleted) {
        assertThat(statements.leases().allGuardsHeld(counts(matched, upserted, deleted))).isFalse();
    }
}
