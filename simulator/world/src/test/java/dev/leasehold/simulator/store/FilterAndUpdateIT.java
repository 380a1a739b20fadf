package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters and updates in memory do what a real server does: every operator that is in use, on fields of every kind. */
@WithReplicaSet
class FilterAndUpdateIT {

    private static final List<BsonDocument> DOCUMENTS = Stream.of(
                    "{}",
                    "{f: null}",
                    "{f: 5}",
                    "{f: {$numberLong: '5'}}",
                    "{f: {$numberLong: '3255759600000000005'}}",
                    "{f: {$numberLong: '3255759600000000006'}}",
                    "{f: 5.0}",
                    "{f: 5.5}",
                    "{f: -1}",
                    "{f: 'a'}",
                    "{f: 'b'}",
                    "{f: '\\uD83D\\uDD12'}",
                    "{f: '\\uFFFD'}",
                    "{f: ''}",
                    "{f: true}",
                    "{f: {}}",
                    "{f: {g: {$numberLong: '5'}}}",
                    "{f: {g: 5}}",
                    "{f: {g: null}}",
                    "{f: {g: 'a', h: 1}}",
                    "{f: {g: {h: {$numberLong: '5'}}}}",
                    "{f: {'0': 'a'}}",
                    "{f: []}",
                    "{f: ['a']}",
                    "{f: ['b', 'a']}",
                    "{f: [{$numberLong: '5'}, 6]}",
                    "{f: [null]}",
                    "{f: [{g: {$numberLong: '5'}}, {g: 'a'}]}",
                    "{f: [{g: {$numberLong: '1'}, h: 0}]}",
                    "{f: {g: ['a']}}",
                    "{f: {g: []}}",
                    "{f: {'w#1': {time: {$numberLong: '5'}}}}")
            .map(BsonDocument::parse)
            .toList();

    static List<String> filters() {
        List<String> filters = new ArrayList<>();
        for (String path : List.of("f", "f.g", "f.0", "f.g.h", "f.w#1.time")) {
            for (String condition : List.of(
                    "'a'",
                    "{$numberLong: '5'}",
                    "5",
                    "{$numberLong: '3255759600000000005'}",
                    "true",
                    "{$exists: true}",
                    "{$exists: false}",
                    "{$eq: {$numberLong: '5'}, $type: 'long'}",
                    "{$eq: 'a'}",
                    "{$type: 'object'}",
                    "{$type: 'long'}",
                    "{$type: 'int'}",
                    "{$type: 'string'}",
                    "{$gte: {$numberLong: '5'}, $lt: {$numberLong: '3255759600000000006'}}",
                    "{$gte: 5, $lt: 5}",
                    "{$lte: 5}",
                    "{$gte: 'a'}",
                    "{$lt: '\\uD83D\\uDD12'}",
                    "{$in: ['a', {$numberLong: '5'}]}",
                    "{$in: []}",
                    "{$size: 0}",
                    "{$size: 1}",
                    "{$elemMatch: {g: 'a'}}",
                    "{$elemMatch: {g: {$numberLong: '1'}, h: 0}}",
                    "{$regularExpression: {pattern: '^[ab]$', options: ''}}")) {
                filters.add("{'" + path + "': " + condition + "}");
            }
        }
        filters.add("{f: null}");
        filters.add("{$or: [{f: 'a'}, {'f.g': {$exists: true}}]}");
        filters.add("{$and: [{f: {$exists: true}}, {$or: [{f: 5}, {f: 'b'}]}]}");
        filters.add("{f: {$exists: true}, 'f.g': {$exists: false}}");
        return filters;
    }

    static List<String> updates() {
        return List.of(
                "{$set: {f: {$numberLong: '7'}}}",
                "{$set: {f: 'a'}}",
                "{$set: {'f.g': {$numberLong: '7'}, a: 1}}",
                "{$set: {'f.g.h': 'x'}}",
                "{$set: {'f.w#1.time': {$numberLong: '7'}, 'f.w#1.txn': {$numberLong: '7'}}, $inc: {n: {$numberLong: '1'}}}",
                "{$set: {'f.w#2': {time: {$numberLong: '7'}}}}",
                "{$unset: {f: ''}}",
                "{$unset: {'f.g': ''}}",
                "{$unset: {'f.g.h': '', 'f.w#1': ''}}",
                "{$inc: {f: {$numberLong: '1'}}}",
                "{$inc: {f: 1}}",
                "{$inc: {f: {$numberLong: '0'}}}",
                "{$inc: {'f.g': {$numberLong: '1'}}}",
                "{$setOnInsert: {f: {$numberLong: '7'}}}",
                "{$addToSet: {f: 'a'}}",
                "{$addToSet: {f: 'c'}}",
                "{$pull: {f: 'a'}}",
                "{$pull: {f: 'c'}}",
                "{$pull: {f: {g: 'a'}}}",
                "{$pull: {f: {g: {$numberLong: '1'}, h: {$in: [0, 5]}}}}",
                "{$pull: {f: {g: {$in: ['a', 'b']}}}, $setOnInsert: {b: 1}}",
                "{$push: {f: {$each: [{g: 'a', h: 1}], $slice: 2}}}",
                "{$push: {f: {$each: ['c'], $slice: 1}}, $inc: {n: {$numberLong: '1'}}, $setOnInsert: {b: 1}}",
                "{$push: {f: {$each: ['c', 'd'], $slice: 128}}}",
                "{$set: {a: 1}, $unset: {f: ''}, $setOnInsert: {b: 1}}");
    }

    private final MongoCollection<BsonDocument> collection;

    FilterAndUpdateIT(TestDatabase database) {
        collection = database.database().getCollection("documents", BsonDocument.class);
    }

    @BeforeEach
    void fill() {
        collection.deleteMany(new BsonDocument());
        List<BsonDocument> all = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS.size(); i++) {
            all.add(stored(i));
        }
        collection.insertMany(all);
    }

    private static BsonDocument stored(int number) {
        BsonDocument stored = new BsonDocument("_id", new BsonString("d" + number));
        stored.putAll(DOCUMENTS.get(number));
        return stored;
    }

    @ParameterizedTest
    @MethodSource("filters")
    void filterFindsWhatAServerFinds(String json) {
        BsonDocument filter = BsonDocument.parse(json);
        Set<String> found = new TreeSet<>();
        for (int i = 0; i < DOCUMENTS.size(); i++) {
            if (Filter.matches(filter, stored(i))) {
                found.add(stored(i).toJson());
            }
        }

        Set<String> foundByServer = new TreeSet<>();
        collection.find(filter).forEach(document -> foundByServer.add(document.toJson()));

        assertThat(found).isEqualTo(foundByServer);
    }

    @ParameterizedTest
    @MethodSource("updates")
    void updateMakesWhatAServerMakes(String json) {
        BsonDocument update = BsonDocument.parse(json);
        for (int i = 0; i < DOCUMENTS.size(); i++) {
            BsonDocument before = stored(i);
            assertThat(updated(before, update)).as(before.toJson()).isEqualTo(updatedByServer(before, update));
        }
    }

    /** What it is then; else the code with which it is refused. */
    private static Object updated(BsonDocument before, BsonDocument update) {
        try {
            return Update.applied(before, update);
        } catch (Update.Refused e) {
            return e.code();
        }
    }

    private Object updatedByServer(BsonDocument before, BsonDocument update) {
        BsonDocument id = new BsonDocument("_id", before.get("_id"));
        try {
            collection.updateOne(id, update);
            return Objects.requireNonNull(collection.find(id).first());
        } catch (MongoWriteException e) {
            return e.getCode();
        }
    }

    @ParameterizedTest
    @MethodSource("updates")
    void upsertMakesWhatAServerMakes(String json) {
        BsonDocument update = BsonDocument.parse(json);
        if (update.containsKey("$unset") && !update.containsKey("$set")) {
            return;
        }
        BsonDocument filter = BsonDocument.parse("{_id: 'new', other: {$exists: false}}");
        collection.updateOne(filter, update, new UpdateOptions().upsert(true));

        assertThat(Update.inserted(filter, update))
                .isEqualTo(collection.find(filter).first());
    }

    @Test
    void greatestOfNumbersIsWhatAServerStores() {
        for (String before : List.of("{}", "{f: {$numberLong: '3'}}", "{f: {$numberLong: '9'}}", "{f: 9}")) {
            BsonDocument stored = BsonDocument.parse(before).append("_id", new BsonString("max"));
            BsonDocument update = BsonDocument.parse("{$max: {f: {$numberLong: '5'}}}");
            collection.insertOne(stored);

            assertThat(updated(stored, update)).as(before).isEqualTo(updatedByServer(stored, update));

            collection.deleteOne(new BsonDocument("_id", new BsonString("max")));
        }
    }
}
