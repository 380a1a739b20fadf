package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Action;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Operations that come while the engine is busy share the next transaction. */
class SharedTransactionsIT extends WithAnEngine {

    /** Runs the calls so that all are waiting before the engine can take any of them. */
    private List<Future<LeaseResult>> together(List<Callable<LeaseResult>> calls, Action beforeTheyGo)
            throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            busy.countDown();
            a.runtime().untilCallersWait(calls.size() + 1);
            a.hooks().forgetCommands();
            beforeTheyGo.run();
        });
        Future<?> earlier = callers.submit(() -> a.claims("earlier", "h", ofSeconds(60)));
        await(busy);
        List<Future<LeaseResult>> answers = calls.stream().map(callers::submit).toList();
        get(earlier);
        return answers;
    }

    private Callable<LeaseResult> claim(String name, long seconds) {
        return () -> a.engine().tenures().claim(name, "h", ofSeconds(seconds));
    }

    @Test
    @DisplayName("TX-4: 512 claims at once take one transaction, and each has its own answer")
    void manyClaimsShareOneTransaction() throws Exception {
        registered();
        a.claims("name100", "another", ofSeconds(60));
        long ticks = engines.ticks();

        List<Future<LeaseResult>> answers = together(
                IntStream.range(0, 512).mapToObj(i -> claim("name" + i, 60)).toList(), () -> {});

        for (int i = 0; i < 512; i++) {
            if (i == 100) {
                refused(get(answers.get(i)), Reason.HELD);
            } else {
                assertThat(granted(get(answers.get(i)))).isEqualTo(new Tenure(Engines.NAMESPACE, "name" + i, "h", 1));
            }
        }
        // The earlier claim's transaction, and the one of all the others.
        assertThat(engines.ticks()).isEqualTo(ticks + 2);
        assertThat(a.hooks().transactions()).hasSize(1);
    }

    @Test
    @DisplayName("TX-4: claims that met a conflict together still share transactions afterwards")
    void claimsShareTransactionsAlsoAfterAConflict() throws Exception {
        registered();
        List<ForeignTransaction> blocker = new CopyOnWriteArrayList<>();
        List<Future<LeaseResult>> answers = together(
                IntStream.range(0, 128).mapToObj(i -> claim("name" + i, 60)).toList(), () -> {
                    a.hooks()
                            .once(
                                    Point.BEFORE_UPDATE,
                                    () -> blocker.add(ForeignTransaction.on(engines, Engines.NAMESPACE)));
                    a.hooks().always(Point.BEFORE_UPDATE, () -> {
                        if (a.hooks().transactions().size() == 2) {
                            blocker.get(0).close();
                        }
                    });
                });

        for (Future<LeaseResult> answer : answers) {
            granted(get(answer));
        }

        assertThat(a.hooks().transactions().size()).isLessThan(64);
    }

    @Test
    @DisplayName("TX-5: one of three that share a transaction has come too late; the other two go on without it")
    void oneTooLateDoesNotStopTheOthers() throws Exception {
        registered();
        TestEngine b = engines.start("b");
        List<Future<LeaseResult>> answers = together(
                List.of(claim("one", 60), claim("two", 60), claim("three", 60)),
                () -> a.hooks().once(Point.BEFORE_UPDATE, () -> b.claims("two", "h2", ofSeconds(60))));

        granted(get(answers.get(0)));
        granted(get(answers.get(2)));
        Refusal refusal = refused(get(answers.get(1)), Reason.HELD);

        assertThat(((LeaseState.Held) refusal.state()).tenure().holder()).isEqualTo("h2");
        assertThat(a.hooks().transactions())
                .extracting(update -> statements(update).size())
                .containsExactly(4, 3);
    }

    @Test
    @DisplayName("A lease with a corrupt document does not stop those that share its transaction")
    void aCorruptLeaseDoesNotStopTheOthers() throws Exception {
        registered();
        a.claims("bad", "h", ofSeconds(60));
        engines.expectCorruptDocuments();
        engines.documents().updateOne(Filters.eq("_id", Engines.NAMESPACE + "#bad"), Updates.unset("token"));

        List<Future<LeaseResult>> answers = together(List.of(claim("one", 60), claim("bad", 60)), () -> {});

        granted(get(answers.get(0)));
        assertThatThrownBy(() -> get(answers.get(1))).cause().isInstanceOf(CorruptDocumentException.class);
    }

    @Test
    @DisplayName("TX-6: the terms of one transaction all count from its stamp, none from before its call")
    void theTermsCountFromTheStamp() throws Exception {
        registered();
        List<Future<LeaseResult>> answers = together(
                List.of(claim("short", 10), claim("medium", 20), claim("long", 30)),
                () -> a.clock().advance(ofSeconds(1)));
        for (Future<LeaseResult> answer : answers) {
            granted(get(answer));
        }

        assertThat(a.hooks().transactions()).hasSize(1);
        assertTerm("short", 10);
        assertTerm("medium", 20);
        assertTerm("long", 30);
    }

    private void assertTerm(String name, long seconds) {
        BsonDocument lease = engines.leaseDocument(name);
        assertThat(Engines.written(lease)).isEqualTo(Z + SECOND);
        assertThat(Engines.expiry(lease)).isEqualTo(Z + SECOND + seconds * SECOND);
    }
}
