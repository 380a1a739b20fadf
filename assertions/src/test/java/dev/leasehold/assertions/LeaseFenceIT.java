package dev.leasehold.assertions;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@WithReplicaSet
class LeaseFenceIT {

    private final MongoCollection<BsonDocument> reports;

    LeaseFenceIT(TestDatabase database) {
        reports = database.database().getCollection("reports", BsonDocument.class);
    }

    @ParameterizedTest
    @DisplayName("AS-14: a token that is not older than the stored one is accepted and stored")
    @CsvSource(
            delimiter = '|',
            value = {
                "{_id: 1, fence: {$numberLong: '5'}}     | 6",
                "{_id: 1, fence: {$numberLong: '5'}}     | 5",
                "{_id: 1}                                | 1",
                "{_id: 1, fence: 5}                      | 6",
                "{_id: 1, fence: 5.5}                    | 6",
                "{_id: 1, fence: {$numberDecimal: '-1'}} | 1",
                "{_id: 1, fence: {$numberLong: '9223372036854775806'}} | 9223372036854775807",
            })
    void aTokenThatIsNotOlderIsAcceptedAndStored(String stored, long token) {
        reports.insertOne(BsonDocument.parse(stored.replace('\'', '"')));

        assertThat(write(LeaseFence.of(token, "fence"))).isEqualTo(1);

        assertThat(report().getNumber("fence").longValue()).isEqualTo(token);
        assertThat(report()).containsEntry("text", new BsonInt32(1));
    }

    @ParameterizedTest
    @DisplayName("AS-14: any other write is refused and changes nothing")
    @CsvSource(
            delimiter = '|',
            value = {
                "{_id: 1, fence: {$numberLong: '5'}}           | 4",
                "{_id: 1, fence: {$numberLong: '9223372036854775807'}} | 9223372036854775806",
                "{_id: 1, fence: 5.5}                          | 5",
                "{_id: 1, fence: {$numberDouble: 'NaN'}}       | 6",
                "{_id: 1, fence: {$numberDouble: 'Infinity'}}  | 6",
                "{_id: 1, fence: null}                         | 6",
                "{_id: 1, fence: '5'}                          | 6",
                "{_id: 1, fence: {token: 5}}                   | 6",
                "{_id: 1, fence: []}                           | 6",
                "{_id: 1, fence: [{$numberLong: '5'}, {$numberLong: '9'}]} | 6",
            })
    void anyOtherWriteIsRefusedAndChangesNothing(String stored, long token) {
        BsonDocument before = BsonDocument.parse(stored.replace('\'', '"'));
        reports.insertOne(before);

        assertThat(write(LeaseFence.of(token, "fence"))).isZero();

        assertThat(report()).isEqualTo(before);
    }

    @Test
    void aPathKeepsTheTokenInAnEmbeddedDocument() {
        reports.insertOne(BsonDocument.parse("{_id: 1}"));

        assertThat(write(LeaseFence.of(5, "meta.fence"))).isEqualTo(1);
        assertThat(write(LeaseFence.of(4, "meta.fence"))).isZero();
        assertThat(write(LeaseFence.of(6, "meta.fence"))).isEqualTo(1);

        assertThat(report().getDocument("meta")).isEqualTo(BsonDocument.parse("{fence: {$numberLong: '6'}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "'text'", "[7]"})
    void aPathThatLeadsThroughNoDocumentIsAnErrorAndChangesNothing(String meta) {
        BsonDocument before = BsonDocument.parse("{_id: 1, meta: " + meta + "}");
        reports.insertOne(before);

        assertThatExceptionOfType(MongoWriteException.class)
                .isThrownBy(() -> write(LeaseFence.of(5, "meta.fence")))
                .withMessageContaining("Cannot create field 'fence'");

        assertThat(report()).isEqualTo(before);
    }

    @Test
    void theCallersCodecsDoNotMatter() {
        reports.insertOne(BsonDocument.parse("{_id: 1}"));
        LeaseFence fence = LeaseFence.of(5, "fence");

        long matched = reports.withCodecRegistry(CodecRegistries.fromCodecs(new BsonDocumentCodec()))
                .updateOne(fence.filter(), fence.update())
                .getMatchedCount();

        assertThat(matched).isEqualTo(1);
        assertThat(report()).isEqualTo(BsonDocument.parse("{_id: 1, fence: {$numberLong: '5'}}"));
    }

    private long write(LeaseFence fence) {
        return reports.updateOne(
                        and(eq("_id", 1), fence.filter()), combine(set("text", new BsonInt32(1)), fence.update()))
                .getMatchedCount();
    }

    private BsonDocument report() {
        return reports.find().first();
    }
}
