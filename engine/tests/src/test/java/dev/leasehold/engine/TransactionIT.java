package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A transaction of an engine that is alone: which commands, how many, and in which order. */
class TransactionIT extends WithAnEngine {

    @Test
    @DisplayName("TX-1: a transaction is one ordered update, the clock first, and a commit; it reads nothing")
    void aTransactionIsAnUpdateAndACommit() throws InterruptedException {
        registered();

        a.claims("name", "h", ofSeconds(60));

        List<BsonDocument> inside = a.hooks().commands().stream()
                .filter(command -> command.containsKey("autocommit"))
                .toList();
        assertThat(inside).extracting(BsonDocument::getFirstKey).containsExactly("update", "commitTransaction");
        BsonDocument update = inside.get(0);
        assertThat(update.get("startTransaction")).isEqualTo(BsonBoolean.TRUE);
        assertThat(update.get("ordered")).isEqualTo(BsonBoolean.TRUE);
        assertThat(statements(update)).hasSize(2);
        assertThat(statements(update).get(0).asDocument().getDocument("q").get("_id"))
                .isEqualTo(new BsonString(Engines.NAMESPACE));
    }

    @Test
    @DisplayName("TX-2: there is one commit, at majority, in one driver session, and the yes comes after it")
    void theYesComesAfterTheCommit() throws Exception {
        registered();
        CompletableFuture<Tenure> yes = new CompletableFuture<>();
        a.hooks().once(Point.AFTER_COMMIT, () -> assertThat(yes).isNotDone());

        callers.submit(() -> yes.complete(a.claims("one", "h", ofSeconds(60))));
        get(yes);
        a.claims("two", "h", ofSeconds(60));

        List<BsonDocument> commits = a.hooks().commands("commitTransaction");
        assertThat(commits)
                .hasSize(2)
                .allSatisfy(commit ->
                        assertThat(commit.getDocument("writeConcern").get("w")).isEqualTo(new BsonString("majority")));
        List<BsonDocument> transactions = a.hooks().transactions();
        Set<BsonBinary> sessions = new HashSet<>();
        commits.forEach(command -> sessions.add(lsid(command)));
        transactions.forEach(command -> sessions.add(lsid(command)));
        assertThat(sessions).hasSize(1);
    }

    @Test
    @DisplayName("TX-2: transactions run on a thread of the engine, never on a caller's")
    void transactionsRunOnAThreadOfTheEngine() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        a.hooks().always(Point.BEFORE_UPDATE, () -> threads.add(Thread.currentThread()));
        a.hooks().always(Point.BEFORE_COMMIT, () -> threads.add(Thread.currentThread()));

        a.claims("one", "h", ofSeconds(60));
        Thread other = get(callers.submit(() -> {
            a.claims("two", "h", ofSeconds(60));
            return Thread.currentThread();
        }));

        assertThat(threads).hasSize(1).doesNotContain(other, Thread.currentThread());
        assertThat(threads).extracting(Thread::getName).containsExactly("leasehold-" + Engines.NAMESPACE);
    }

    @Test
    @DisplayName("TX-3: every statement of every transaction changes its document, also while the clock stands still")
    void everyStatementChangesItsDocument() throws InterruptedException {
        Tenure tenure = a.claims("name", "h", ofSeconds(60));
        assertChangesBoth(() -> a.extendsTo(tenure, ofSeconds(90)));
        assertChangesBoth(() -> a.releases(tenure));
        assertChangesBoth(() -> a.claims("name", "h", ofSeconds(60)));
    }

    private void assertChangesBoth(Callable<?> operation) {
        BsonDocument clock = engines.clockDocument();
        BsonDocument lease = engines.leaseDocument("name");
        assertThat(operation).satisfies(Callable::call);
        assertThat(engines.clockDocument()).isNotEqualTo(clock);
        assertThat(engines.ticks()).isGreaterThan(clock.getInt64("ticks").getValue());
        assertThat(engines.leaseDocument("name")).isNotEqualTo(lease);
    }

    @Test
    @DisplayName("TX-12: an engine that knows nothing reads the one lease that it needs, of 1,000")
    void aClaimReadsNoMoreThanItNeeds() throws InterruptedException {
        TestEngine b = engines.start("b");
        b.claims("lease", "h", ofSeconds(60));
        storeCopies(999);
        // Those of its start.
        a.hooks().forgetCommands();

        a.claims("name", "h", ofSeconds(60));

        assertThat(a.hooks().commands("find")).isNotEmpty().allSatisfy(find -> {
            assertThat(find.getDocument("filter").toJson())
                    .doesNotContain("$gt", "$lt", "$regex", "lease")
                    .contains(Engines.NAMESPACE);
        });
        assertThat(a.hooks().commands("find").toString()).contains(Engines.NAMESPACE + "#name");
        assertThat(a.hooks().commands("getMore")).isEmpty();
    }

    private void storeCopies(int copies) {
        BsonDocument lease = engines.leaseDocument("lease");
        engines.documents()
                .insertMany(IntStream.rangeClosed(1, copies)
                        .mapToObj(i -> lease.clone()
                                .append("_id", new BsonString(Engines.NAMESPACE + "#lease" + i))
                                .append("name", new BsonString("lease" + i)))
                        .toList());
    }
}
