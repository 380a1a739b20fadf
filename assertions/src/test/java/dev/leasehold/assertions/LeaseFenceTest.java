package dev.leasehold.assertions;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.max;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseFenceTest {

    private final LeaseFence fence = LeaseFence.of(new Tenure("jobs", "nightly", "h", 5), "meta.fence");

    @Test
    void theFilterLetsAMissingOrNotGreaterTokenPass() {
        assertThat(fence.filter().toBsonDocument()).isEqualTo(BsonDocument.parse("""
                        {$or: [
                          {"meta.fence": {$exists: false}},
                          {"meta.fence": {$lte: {$numberLong: "5"}, $not: {$type: "array"}}}]}
                        """));
    }

    @Test
    void theUpdateNeverTakesTheTokenDown() {
        assertThat(fence.update().toBsonDocument())
                .isEqualTo(BsonDocument.parse("{$max: {'meta.fence': {$numberLong: '5'}}}"));
    }

    @Test
    void aTokenAloneMakesTheSameFenceAsItsTenure() {
        LeaseFence same = LeaseFence.of(5, "meta.fence");

        assertThat(same.filter().toBsonDocument()).isEqualTo(fence.filter().toBsonDocument());
        assertThat(same.update().toBsonDocument()).isEqualTo(fence.update().toBsonDocument());
    }

    @Test
    void bothPartsCombineWithTheCallersOwn() {
        assertThat(and(eq("_id", 1), fence.filter()).toBsonDocument().toJson()).contains("\"_id\": 1", "\"$lte\": 5");
        assertThat(combine(set("x", 1), fence.update()).toBsonDocument())
                .isEqualTo(BsonDocument.parse("{$set: {x: 1}, $max: {'meta.fence': {$numberLong: '5'}}}"));
    }

    @Test
    void combiningAnUpdateLeavesItAsItWas() {
        Bson update = fence.update();
        BsonDocument before = update.toBsonDocument().clone();

        BsonDocument combined = combine(update, max("size", 3)).toBsonDocument();

        assertThat(combined).isEqualTo(BsonDocument.parse("{$max: {'meta.fence': {$numberLong: '5'}, size: 3}}"));
        assertThat(update.toBsonDocument()).isEqualTo(before);
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"$f", "a.$f", "a.$", "items.$[].f", ".", ".a", "a.", "a..b", "a\u0000b", "a\ud83d"})
    void badFieldIsRefused(String field) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseFence.of(5, field))
                .withMessageStartingWith("field " + Quoted.of(field) + " is refused: no part of it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fence", "a.b.c", "a$b", "\u03a9", "with space"})
    void anyOtherFieldIsAccepted(String field) {
        assertThat(LeaseFence.of(5, field).update().toBsonDocument().getDocument("$max"))
                .containsOnlyKeys(field);
    }

    @Test
    void tokenBelowOneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseFence.of(0, "fence"))
                .withMessage("token 0 is refused: it must be 1 or more");
    }
}
