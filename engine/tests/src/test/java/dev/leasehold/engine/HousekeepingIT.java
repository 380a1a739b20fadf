package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is cleared away, when, and what stays true across it. */
class HousekeepingIT extends WithEngines {

    private static final Duration RETENTION = ofHours(1);

    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        engines.lookingByTheirClocks();
        a = engines.start("a");
        b = engines.start("b");
    }

    private long tokenFloor() {
        return engines.clockDocument().getInt64("tokenFloor").getValue();
    }

    private static void assertRemoved(Housekeeping done, int removed, int kept) {
        assertThat(done.leasesRemoved()).isEqualTo(removed);
        assertThat(done.leasesKept()).isEqualTo(kept);
    }

    @Nested
    @DisplayName("Vacant leases")
    class VacantLeases {

        /** The stamp of the last release, and thus the start of the retention, is the clock of {@code a}. */
        private void vacantUnderToken(String name, int token) throws InterruptedException {
            for (int i = 0; i < token; i++) {
                Tenure tenure = a.claims(name, "h", ofSeconds(60));
                a.clock().advance(ofSeconds(1));
                a.releases(tenure);
            }
            assertThat(engines.shortForm(name)).isEqualTo("-/" + token);
        }

        @Test
        @DisplayName("A vacant lease is removed after the retention, and not before")
        void aVacantLeaseIsRemovedAfterTheRetention() throws InterruptedException {
            vacantUnderToken("name", 1);
            a.clock().advance(RETENTION);
            assertRemoved(a.engine().housekeeping(), 0, 1);

            a.clock().advance(1);
            assertRemoved(a.engine().housekeeping(), 1, 0);

            assertThat(engines.leaseDocument("name")).isNull();
            assertThat(a.sees("name")).isEqualTo(new LeaseState.Absent("name"));
        }

        @Test
        @DisplayName("What the session of a closed engine left held is removed like what is vacant")
        void aLeaseOfASessionThatIsOverIsRemoved() throws InterruptedException {
            a.engine().tryAcquire(LeaseRequest.of("name")).orElseThrow();
            a.engine().close();
            assertRemoved(b.engine().housekeeping(), 0, 1);
            b.clock().advance(RETENTION);
            assertRemoved(b.engine().housekeeping(), 0, 1);

            b.clock().advance(1);
            assertRemoved(b.engine().housekeeping(), 1, 0);

            assertThat(engines.leaseDocument("name")).isNull();
            assertThat(tokenFloor()).isEqualTo(1);
        }

        @Test
        @DisplayName("Tokens go on above the greatest that was removed, for every name and every engine")
        void tokensGoOnAboveTheRemovedOnes() throws InterruptedException {
            vacantUnderToken("two", 2);
            vacantUnderToken("five", 5);
            b.sees("five");
            a.clock().advance(RETENTION.plusNanos(1));

            assertRemoved(a.engine().housekeeping(), 2, 0);

            assertThat(tokenFloor()).isEqualTo(5);
            assertThat(a.claims("two", "h", ofSeconds(60)).token()).isEqualTo(6);
            assertThat(b.claims("five", "h", ofSeconds(60)).token()).isEqualTo(6);
            assertThat(b.claims("new", "h", ofSeconds(60)).token()).isEqualTo(6);
        }

        @Test
        @DisplayName("A lease that is claimed while it is being removed stays")
        void aLeaseClaimedMeanwhileStays() throws InterruptedException {
            vacantUnderToken("name", 3);
            a.clock().advance(RETENTION.plusNanos(1));
            a.hooks().once(Point.BEFORE_UPDATE, () -> b.claims("name", "h2", ofSeconds(60)));

            assertRemoved(a.engine().housekeeping(), 0, 1);

            assertThat(engines.shortForm("name")).isEqualTo("h2/4");
            assertThat(tokenFloor()).isZero();
        }

        @Test
        @DisplayName("A lease that is removed while it is being claimed is claimed above its old tokens")
        void aLeaseRemovedMeanwhileIsClaimedAboveItsTokens() throws InterruptedException {
            vacantUnderToken("name", 3);
            b.sees("name");
            a.clock().advance(RETENTION.plusNanos(1));
            b.hooks().once(Point.BEFORE_UPDATE, () -> assertRemoved(a.engine().housekeeping(), 1, 0));

            assertThat(b.claims("name", "h2", ofSeconds(60)).token()).isEqualTo(4);
        }

        @Test
        @DisplayName("More leases than fit into one part of the listing are all gone through")
        void manyLeasesAreAllRemoved() throws InterruptedException {
            vacantUnderToken("lease", 1);
            BsonDocument lease = engines.leaseDocument("lease");
            engines.documents()
                    .insertMany(IntStream.rangeClosed(1, 1_500)
                            .mapToObj(i -> lease.clone()
                                    .append("_id", new BsonString(Engines.NAMESPACE + "#lease" + i))
                                    .append("name", new BsonString("lease" + i)))
                            .toList());
            a.clock().advance(RETENTION.plusNanos(1));

            assertRemoved(a.engine().housekeeping(), 1_501, 0);

            assertThat(a.engine().leases()).isEmpty();
        }
    }

    @Nested
    @DisplayName("Silent writers")
    class SilentWriters {

        private String writerOf(TestEngine engine, String name) throws InterruptedException {
            engine.claims(name, "h", ofSeconds(60));
            return Engines.writer(engines.leaseDocument(name));
        }

        @Test
        @DisplayName(
                "Never again 7, SE-17: the entry of a writer that was silent for an hour of this clock is removed, and not before")
        void aSilentWriterIsPruned() throws InterruptedException {
            String silent = writerOf(a, "of a");
            assertThat(b.engine().housekeeping().writersPruned()).isZero();
            b.clock().advance(ofHours(1));
            assertThat(b.engine().housekeeping().writersPruned()).isZero();

            b.clock().advance(1);
            assertThat(b.engine().housekeeping().writersPruned()).isOne();

            assertThat(engines.writers()).doesNotContain(silent);
            assertThat(engines.shortForm("of a")).isEqualTo("h/1");
        }

        @Test
        @DisplayName("SE-17: a term lease of a pruned writer is judged by its own stamp, and its engine goes on")
        void theLeaseOfAPrunedWriter() throws InterruptedException {
            String silent = writerOf(a, "of a");
            b.engine().housekeeping();
            b.clock().advance(ofHours(1).plusNanos(1));
            b.engine().housekeeping();
            TestEngine c = engines.start("c");
            c.sees("of a");
            c.clock().advance(ofSeconds(60));

            refused(c.engine().tenures().takeOver("of a", "h2", ofSeconds(60)), Reason.NOT_EXPIRED);
            c.clock().advance(1);
            c.takesOver("of a", "h2", ofSeconds(60));
            assertThat(writerOf(a, "another of a")).startsWith("a#").isNotEqualTo(silent);
        }

        /** Entries of engines that have died: all of term leases, or every other one with a session. */
        private void deadWriters(int count) {
            List<Bson> entries = IntStream.range(0, count)
                    .mapToObj(i -> {
                        BsonDocument entry = new BsonDocument("time", new BsonInt64(1_000 + i));
                        if (i % 2 == 1) {
                            entry.append("session", new BsonInt64(ofSeconds(30).toNanos()));
                        }
                        return Updates.set("writers.dead#" + i, entry);
                    })
                    .toList();
            engines.documents().updateOne(Filters.eq("_id", Engines.NAMESPACE), Updates.combine(entries));
        }

        @Test
        @DisplayName("A thousand dead writers go by one update, with sessions and without")
        void aThousandDeadWritersGoByOneUpdate() throws InterruptedException {
            String own = writerOf(b, "of b");
            deadWriters(2_500);
            b.engine().housekeeping();
            b.clock().advance(ofHours(1).plusNanos(1));
            b.hooks().forgetCommands();

            assertThat(b.engine().housekeeping().writersPruned()).isEqualTo(2_500);

            assertThat(engines.writers()).containsExactly(own);
            assertThat(b.hooks().clockWrites()).hasSize(3);
        }

        @Test
        @DisplayName("Of many dead writers one that writes meanwhile stays, and the others go in a few updates")
        void oneThatWritesMeanwhileStays() throws InterruptedException {
            writerOf(b, "of b");
            String alive = writerOf(a, "one");
            deadWriters(999);
            b.engine().housekeeping();
            b.clock().advance(ofHours(1).plusNanos(1));
            a.clock().advance(ofHours(1));
            b.hooks().forgetCommands();
            b.hooks().once(Point.BEFORE_CLOCK_WRITE, () -> a.claims("two", "h", ofSeconds(60)));

            assertThat(b.engine().housekeeping().writersPruned()).isEqualTo(999);

            assertThat(engines.writers()).hasSize(2).contains(alive);
            // They go in no fixed order. A part with the living one is halved until that stands alone, and after one
            // without it the next is twice as large. Counted out for each of the 1,000 places of the living one, this
            // takes 20 writes at least, and 37 at most.
            assertThat(b.hooks().clockWrites()).hasSizeBetween(20, 37);
        }
    }
}
