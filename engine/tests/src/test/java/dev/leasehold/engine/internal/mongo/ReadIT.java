package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.LeaseStore.Page;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What reads send and find. */
class ReadIT extends WithStores {

    ReadIT(TestDatabase database) {
        super(database);
    }

    private static List<String> names(Page page) {
        return page.snapshot().leases().stream().map(StoredLease::name).toList();
    }

    @Test
    void surveyFindsAllWritersAndTheSizeAsStored() {
        TestWriter b = stores.writer("b");
        b.commits(b.insert("x"));

        ClockSurvey survey = a.store().survey();

        RawBsonDocument stored = new RawBsonDocument(stores.clock(), new BsonDocumentCodec());
        assertThat(survey.sizeBytes()).isEqualTo(stored.getByteBuffer().remaining());
        assertThat(survey.writers()).extracting(WriterEntry::writer).containsExactlyInAnyOrder("a", "b");
        assertThat(survey.writers())
                .contains(new WriterEntry.Sound(
                        "b", b.stampNanos(), b.stampNanos(), null, b.store().driverSession()));
    }

    @Test
    @DisplayName("TX-12: leases first, then the clock, both at majority and bounded, and no more than is needed")
    void leasesAreReadBeforeTheClockAtMajority() {
        a.commits(a.insert("x"));
        stores.sent().forget();

        a.store().read(Set.of("x"), "a");

        assertThat(stores.sent().names()).containsExactly("find", "find");
        assertThat(stores.sent().all().get(0).getDocument("filter").toJson()).contains("billing#x");
        BsonDocument clock = stores.sent().all().get(1);
        assertThat(clock.getDocument("filter").get("_id")).isEqualTo(new BsonString("billing"));
        assertThat(clock.getDocument("projection").keySet())
                .containsExactlyInAnyOrder("type", "schema", "partitions", "ticks", "tokenFloor", "writers.a");
        assertThat(stores.sent().all()).allSatisfy(find -> {
            assertThat(find.getDocument("readConcern").get("level")).isEqualTo(new BsonString("majority"));
            assertThat(find.getDocument("readConcern")).containsKey("afterClusterTime");
            assertThat(find.getNumber("maxTimeMS").longValue()).isEqualTo(Stores.BUDGET.toMillis());
        });
    }

    @Test
    void readingNothingAsksForTheClockAlone() {
        stores.sent().forget();

        assertThat(a.store().read(Set.of(), "a").leases()).isEmpty();

        assertThat(stores.sent().names()).containsExactly("find");
    }

    @Test
    void manyNamesAreReadInParts() {
        Set<String> names = IntStream.range(0, 2_001).mapToObj(i -> "n" + i).collect(Collectors.toSet());
        a.commits(names.stream().map(a::insert).toArray(LeaseWrite[]::new));
        stores.sent().forget();

        assertThat(a.store().read(names, "a").leases()).hasSize(2_001).allMatch(StoredLease.Sound.class::isInstance);
        assertThat(stores.sent().names()).containsExactly("find", "find", "find", "find");
    }

    @Test
    void aPageIsOneFindAndTheClock() {
        a.commits(IntStream.range(0, 300).mapToObj(i -> a.insert("n" + i)).toArray(LeaseWrite[]::new));
        stores.sent().forget();

        assertThat(a.store().page(null, 1_000, "a").snapshot().leases()).hasSize(300);

        assertThat(stores.sent().names()).containsExactly("find", "find");
    }

    @Test
    @DisplayName("PE-7, VA-15: other namespaces and other kinds of documents are not seen")
    void otherNamespacesAndOtherKindsAreNotSeen() {
        stores.expectCorruptDocuments();
        for (String id :
                List.of("billing!0#x", "billing$", "billin", "billing2#x", "billing2", "bil#billing#x", "zzz")) {
            stores.documents().insertOne(new BsonDocument("_id", new BsonString(id)));
        }
        stores.documents().insertOne(new BsonDocument("_id", new BsonDocument("billing", new BsonString("#x"))));
        a.commits(a.insert("x"), a.insert("billing#x"));

        assertThat(names(a.store().page(null, 100, "a"))).containsExactly("x", "billing#x");
    }
}
