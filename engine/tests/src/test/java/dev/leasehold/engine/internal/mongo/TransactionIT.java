package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.internal.mongo.documents.Fixture;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one transaction sends, writes, and leaves behind when it does not happen. */
class TransactionIT extends WithStores {

    static final String[] HOSTILE_TEXTS = Fixture.HOSTILE_TEXTS;

    TransactionIT(TestDatabase database) {
        super(database);
    }

    private void assertNothingHappenedSince(long ticks) {
        assertThat(stores.ticks()).isEqualTo(ticks);
        assertThat(stores.clockIsFree()).isTrue();
    }

    @Nested
    class Commands {

        @Test
        @DisplayName("TX-1: an update with the clock first, then the commit, and nothing else")
        void anUpdateWithTheClockFirstAndThenTheCommit() {
            stores.sent().forget();

            a.commits(a.insert("x"), a.insert("y"));

            assertThat(stores.sent().names()).containsExactly("update", "commitTransaction");
            BsonDocument update = stores.sent().the("update");
            assertThat(update.getBoolean("startTransaction").getValue()).isTrue();
            assertThat(update.getBoolean("ordered").getValue()).isTrue();
            assertThat(update.getDocument("readConcern").get("level")).isEqualTo(new BsonString("local"));
            assertThat(update.getArray("updates"))
                    .extracting(
                            statement -> statement.asDocument().getDocument("q").get("_id"))
                    .containsExactly(
                            new BsonString("billing"), new BsonString("billing#x"), new BsonString("billing#y"));
        }

        @Test
        @DisplayName("TX-2: one commit with majority, in the one driver session of all writes, bounded in time")
        void oneCommitWithMajorityInTheDriverSessionOfAllWrites() {
            stores.sent().forget();

            a.commits(a.insert("x"));
            a.store().writeClock(new ClockWrite.Unlist("a"));

            BsonDocument commit = stores.sent().the("commitTransaction");
            assertThat(commit.getDocument("writeConcern").get("w")).isEqualTo(new BsonString("majority"));
            assertThat(commit.getDocument("writeConcern").getNumber("wtimeout").longValue())
                    .isEqualTo(Stores.BUDGET.toMillis());
            assertThat(commit.getNumber("maxTimeMS").longValue())
                    .as("later than the limit of the majority")
                    .isEqualTo(Stores.BUDGET.toMillis() + 1_000);
            assertThat(stores.sent().all())
                    .extracting(command ->
                            command.getDocument("lsid").getBinary("id").asUuid())
                    .containsOnly(a.store().driverSession());
        }

        @Test
        @DisplayName("TX-3: every statement of the update changes bytes")
        void everyStatementChangesBytes() {
            a.commits(a.insert("x"));
            LeaseWrite again = a.replace("x", "h", 1);
            stores.sent().forget();

            a.commits(again, a.insert("y"));

            BsonDocument answer = stores.sent().answers().get(0);
            assertThat(answer.getNumber("n").intValue()).isEqualTo(3);
            assertThat(answer.getNumber("nModified").intValue()).isEqualTo(2);
            assertThat(answer.getArray("upserted")).hasSize(1);
        }

        @Test
        void aThousandLeasesAreStillTwoCommands() {
            LeaseWrite[] inserts = IntStream.range(0, 1_000)
                    .mapToObj(i -> a.insert("lease-" + i))
                    .toArray(LeaseWrite[]::new);
            stores.sent().forget();

            a.commits(inserts);

            assertThat(stores.sent().names()).containsExactly("update", "commitTransaction");
            assertThat(stores.documents().countDocuments(Filters.eq("type", "lease")))
                    .isEqualTo(1_000);
        }
    }

    @Nested
    class WhatIsWritten {

        @ParameterizedTest
        @FieldSource("dev.leasehold.engine.internal.mongo.TransactionIT#HOSTILE_TEXTS")
        @DisplayName("VA-7: hostile text is stored and found as it is")
        void hostileTextIsStoredAsItIs(String text) {
            stores.expectCorruptDocuments();
            LeaseDocument first = a.document(text, text, 1);
            a.commits(new LeaseWrite.Insert(first));
            assertThat(a.store().read(Set.of(text), "a").leases()).containsExactly(new StoredLease.Sound(first));

            LeaseDocument next = a.document(text, text + "2", 2);
            a.commits(new LeaseWrite.Replace(first.guard(), next, false));
            assertThat(a.store().read(Set.of(text), "a").leases()).containsExactly(new StoredLease.Sound(next));
            assertThat(stores.documents().countDocuments()).isEqualTo(2);
        }
    }

    @Nested
    class Misses {

        private void assertMissed(WriteOutcome outcome, long ticks, String... names) {
            assertThat(outcome).isEqualTo(WriteOutcome.MISSED);
            assertNothingHappenedSince(ticks);
            for (String name : names) {
                assertThat(stores.lease(name)).isNull();
            }
        }

        @Test
        @DisplayName("CO-3: a newer schema stops every write")
        void aNewerSchemaMisses() {
            stores.expectCorruptDocuments();
            stores.edit("billing", Updates.set("schema", 2));
            long ticks = stores.ticks();

            assertMissed(a.commit(a.insert("x")), ticks, "x");
            assertThat(a.store().writeClock(new TestWriter(a.store(), "b").registration()))
                    .isEqualTo(WriteOutcome.MISSED);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"{}", "{note: 'mine'}", "{type: 'lease'}", "{written: 5}", "{type: null}", "{holder: 'h'}"})
        void aFirstDocumentNeverOverwritesWhatHasItsId(String foreign) {
            stores.expectCorruptDocuments();
            BsonDocument document = new BsonDocument("_id", new BsonString("billing#x"));
            document.putAll(BsonDocument.parse(foreign));
            stores.documents().insertOne(document);
            long ticks = stores.ticks();

            assertMissed(a.commit(a.insert("x")), ticks);
            assertThat(stores.lease("x")).isEqualTo(document);
        }
    }

    @Nested
    class Withheld {

        @Test
        void anExceptionFromTheQuestionPassesThroughAndLeavesNothing() {
            long ticks = stores.ticks();
            GuardedTransaction transaction = new GuardedTransaction(a.clock(), List.of(a.insert("x")), false);

            assertThatThrownBy(() -> a.store().commit(transaction, () -> {
                        throw new UnsupportedOperationException("no");
                    }))
                    .isInstanceOf(UnsupportedOperationException.class);

            assertNothingHappenedSince(ticks);
        }

        @Test
        void theQuestionComesAfterAllGuardsHeldAndBeforeTheCommit() {
            stores.sent().forget();
            GuardedTransaction transaction = new GuardedTransaction(a.clock(), List.of(a.insert("x")), false);

            a.store().commit(transaction, () -> {
                assertThat(stores.sent().names()).containsExactly("update");
                return true;
            });

            assertThat(stores.sent().names()).containsExactly("update", "commitTransaction");
        }
    }

    /** The clock's statement in a command of its own, before those of the leases. */
    @Nested
    class ClockApart {

        @Test
        void bothUpdatesBelongToOneTransaction() {
            a.commits(a.insert("gone"));
            LeaseWrite removal = a.remove("gone");
            stores.sent().forget();

            assertThat(a.commitApart(a.insert("x"), removal)).isEqualTo(WriteOutcome.APPLIED);

            assertThat(stores.sent().names()).containsExactly("update", "update", "delete", "commitTransaction");
            assertThat(stores.sent().all())
                    .extracting(command -> command.get("txnNumber"))
                    .doesNotContainNull()
                    .hasSize(4)
                    .containsOnly(stores.sent().all().get(0).get("txnNumber"));
            assertThat(stores.sent().all().get(0).getArray("updates")).hasSize(1);
            assertThat(stores.lease("x")).isNotNull();
            assertThat(stores.lease("gone")).isNull();
        }

        @Test
        void aClockThatMissesKeepsTheLeasesFromBeingSent() {
            long ticks = stores.ticks();
            stores.sent().forget();

            WriteOutcome outcome = a.commitApart(a.clock(41L, Set.of(), null), a.insert("x"));

            assertThat(outcome).isEqualTo(WriteOutcome.MISSED);
            assertThat(stores.sent().names()).startsWith("update", "abortTransaction");
            assertNothingHappenedSince(ticks);
        }
    }

    @Nested
    class Conflicts {

        @Test
        void aFirstDocumentThatAnotherTransactionIsWritingIsAConflict() {
            try (ClientSession other = stores.database().client().startSession()) {
                other.startTransaction();
                stores.documents().insertOne(other, new BsonDocument("_id", new BsonString("billing#x")));

                assertThat(a.commit(a.insert("x")).verdict()).isEqualTo(Verdict.CONFLICT);
            }
        }
    }
}
