package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A transaction of an engine that is alone: which commands, how many, and in which order. */
class TransactionIT extends WithAnEngine {

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
        commits.forEach(command -> sessions.add(command.getDocument("lsid").getBinary("id")));
        transactions.forEach(command -> sessions.add(command.getDocument("lsid").getBinary("id")));
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
}
