package dev.leasehold.engine;

import static dev.leasehold.engine.TestClock.Z;
import static dev.leasehold.engine.TestEngine.granted;
import static dev.leasehold.engine.TestEngine.refused;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Action;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine's way to the database: which commands, how many, in which order, and what happens when others are there. */
@WithReplicaSet
class TransactionIT {

    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE_SECONDS = 60;

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private Engines engines;
    private TestEngine a;

    @BeforeEach
    void start(TestDatabase database) {
        engines = new Engines(database);
        a = engines.start("a");
    }

    @AfterEach
    void check() {
        callers.shutdownNow();
        engines.close();
    }

    /** Lets the engine make its entry in the clock document, so that what follows is transactions alone. */
    private void registered() throws InterruptedException {
        a.claims("before", "h", ofSeconds(60));
        a.hooks().forgetCommands();
    }

    private static <T> T get(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private static BsonBinary lsid(BsonDocument command) {
        return command.getDocument("lsid").getBinary("id");
    }

    private static List<BsonValue> statements(BsonDocument update) {
        return update.getArray("updates").getValues();
    }

    private String writerOfA() {
        return Engines.writer(engines.leaseDocument("before"));
    }

    @Nested
    class Alone {

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
            assertThat(commits).hasSize(2).allSatisfy(commit ->
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
            engines.documents().insertMany(IntStream.rangeClosed(1, copies)
                    .mapToObj(i -> lease.clone()
                            .append("_id", new BsonString(Engines.NAMESPACE + "#lease" + i))
                            .append("name", new BsonString("lease" + i)))
                    .toList());
        }
    }

    /** Operations that come while the engine is busy share the next transaction. */
    @Nested
    class GroupCommit {

        /** Runs the calls so that all are waiting before the engine can take any of them. */
        private List<Future<LeaseAnswer>> together(List<Callable<LeaseAnswer>> calls, Action beforeTheyGo)
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
            List<Future<LeaseAnswer>> answers = calls.stream().map(callers::submit).toList();
            get(earlier);
            return answers;
        }

        private Callable<LeaseAnswer> claim(String name, long seconds) {
            return () -> a.engine().claim(name, "h", ofSeconds(seconds));
        }

        @Test
        @DisplayName("TX-4: 512 claims at once take one transaction, and each has its own answer")
        void manyClaimsShareOneTransaction() throws Exception {
            registered();
            a.claims("name100", "another", ofSeconds(60));
            long ticks = engines.ticks();

            List<Future<LeaseAnswer>> answers = together(
                    IntStream.range(0, 512).mapToObj(i -> claim("name" + i, 60)).toList(), () -> {});

            for (int i = 0; i < 512; i++) {
                if (i == 100) {
                    refused(get(answers.get(i)), Reason.HELD);
                } else {
                    assertThat(granted(get(answers.get(i))))
                            .isEqualTo(new Tenure(Engines.NAMESPACE, "name" + i, "h", 1));
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
            List<Future<LeaseAnswer>> answers = together(
                    IntStream.range(0, 128).mapToObj(i -> claim("name" + i, 60)).toList(),
                    () -> {
                        a.hooks().once(Point.BEFORE_UPDATE, () ->
                                blocker.add(ForeignTransaction.on(engines, Engines.NAMESPACE)));
                        a.hooks().always(Point.BEFORE_UPDATE, () -> {
                            if (a.hooks().transactions().size() == 2) {
                                blocker.get(0).close();
                            }
                        });
                    });

            for (Future<LeaseAnswer> answer : answers) {
                granted(get(answer));
            }

            assertThat(a.hooks().transactions().size()).isLessThan(64);
        }

        @Test
        @DisplayName("TX-5: one of three that share a transaction has come too late; the other two go on without it")
        void oneTooLateDoesNotStopTheOthers() throws Exception {
            registered();
            TestEngine b = engines.start("b");
            List<Future<LeaseAnswer>> answers = together(
                    List.of(claim("one", 60), claim("two", 60), claim("three", 60)),
                    () -> a.hooks().once(Point.BEFORE_UPDATE, () -> b.claims("two", "h2", ofSeconds(60))));

            granted(get(answers.get(0)));
            granted(get(answers.get(2)));
            Refusal refusal = refused(get(answers.get(1)), Reason.HELD);

            assertThat(((LeaseState.Held) refusal.state()).tenure().holder()).isEqualTo("h2");
            assertThat(a.hooks().transactions()).extracting(update -> statements(update).size()).containsExactly(4, 3);
        }

        @Test
        @DisplayName("A lease with a corrupt document does not stop those that share its transaction")
        void aCorruptLeaseDoesNotStopTheOthers() throws Exception {
            registered();
            a.claims("bad", "h", ofSeconds(60));
            engines.expectCorruptDocuments();
            engines.documents().updateOne(Filters.eq("_id", Engines.NAMESPACE + "#bad"), Updates.unset("token"));

            List<Future<LeaseAnswer>> answers = together(List.of(claim("one", 60), claim("bad", 60)), () -> {});

            granted(get(answers.get(0)));
            assertThatThrownBy(() -> get(answers.get(1))).cause().isInstanceOf(CorruptDocumentException.class);
        }

        @Test
        @DisplayName("TX-6: the terms of one transaction all count from its stamp, none from before its call")
        void theTermsCountFromTheStamp() throws Exception {
            registered();
            List<Future<LeaseAnswer>> answers = together(
                    List.of(claim("short", 10), claim("medium", 20), claim("long", 30)),
                    () -> a.clock().advance(ofSeconds(1)));
            for (Future<LeaseAnswer> answer : answers) {
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

    /** Another client's transaction has written the clock document, and is open. */
    @Nested
    class Conflicts {

        private @Nullable ForeignTransaction blocker;

        @AfterEach
        void unblock() {
            closeBlocker();
        }

        private void closeBlocker() {
            if (blocker != null) {
                blocker.close();
                blocker = null;
            }
        }

        /** Each of the first so many transactions from now on finds another one open. */
        private void conflicts(int times) {
            a.hooks().forgetCommands();
            a.hooks().always(Point.BEFORE_UPDATE, () -> {
                closeBlocker();
                if (a.hooks().transactions().size() <= times) {
                    blocker = ForeignTransaction.on(engines, Engines.NAMESPACE);
                }
            });
        }

        private long stampOf(BsonDocument update) {
            return statements(update).get(0).asDocument().getDocument("q")
                    .getDocument("writers." + writerOfA() + ".time").getInt64("$lt").getValue();
        }

        @Test
        @DisplayName("TX-7: a claim that had to wait for 5 s still holds for its whole term")
        void aClaimThatWaitedHoldsForItsTerm() throws InterruptedException {
            registered();
            conflicts(2);
            a.hooks().once(Point.BEFORE_UPDATE, () -> a.clock().advance(ofSeconds(2)));
            a.hooks().once(Point.BEFORE_COMMIT, () -> a.clock().advance(ofSeconds(3)));

            Tenure tenure = a.claims("name", "h", ofSeconds(60));

            // Decided for the last time 2 s after the call began, answered 5 s after it.
            long decidedNanos = Engines.written(engines.leaseDocument("name"));
            assertThat(decidedNanos).isBetween(Z + 2 * SECOND, Z + 2 * SECOND + 2);
            assertThat(Engines.expiry(engines.leaseDocument("name"))).isEqualTo(decidedNanos + 60 * SECOND);
            assertThat(a.engine().remaining(tenure)).isEqualTo(ofSeconds(57));
            a.clock().advance(ofSeconds(55));
            assertThat(a.engine().isHeld(tenure)).isTrue();
            a.clock().advance(ofSeconds(2));
            assertThat(a.engine().isHeld(tenure)).isFalse();
        }

        @Test
        @DisplayName("TX-8: each conflict is followed by another try with a new stamp, after a random wait")
        void eachConflictIsFollowedByAnotherTry() throws InterruptedException {
            registered();
            conflicts(5);

            a.claims("name", "h", ofSeconds(60));

            List<Long> stamps = a.hooks().transactions().stream().map(this::stampOf).toList();
            assertThat(stamps).hasSize(6).doesNotHaveDuplicates().isSorted();
            assertThat(Engines.written(engines.leaseDocument("name"))).isEqualTo(stamps.get(5));
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            assertThat(a.runtime().windowsNanos()).hasSize(5).doesNotContain(0L).isSorted();
        }

        @Test
        @DisplayName("TX-8: conflicts without end are said when the time is over, and nothing comes of the claim")
        void conflictsWithoutEndAreSaid() throws InterruptedException {
            registered();
            conflicts(4);
            a.hooks().always(Point.BEFORE_UPDATE, () -> a.clock().advance(ofSeconds(3)));

            assertThatThrownBy(() -> a.engine().claim("name", "h", ofSeconds(60)))
                    .isInstanceOf(LeaseContentionException.class)
                    .hasMessageContaining("'name'");

            assertThat(a.hooks().transactions()).hasSize(4);
            a.claims("other", "h", ofSeconds(60));
            assertThat(engines.leaseDocument("name")).isNull();
        }

        @Test
        @DisplayName("A lease whose document a caller's transaction holds delays only itself")
        void aBlockedLeaseDelaysOnlyItself() throws Exception {
            registered();
            Tenure gated = a.claims("gated", "h", ofSeconds(60));
            CountDownLatch busy = new CountDownLatch(1);
            a.hooks().once(Point.BEFORE_COMMIT, () -> {
                busy.countDown();
                a.runtime().untilCallersWait(4);
            });
            Future<Tenure> earlier = callers.submit(() -> a.claims("earlier", "h", ofSeconds(60)));
            await(busy);
            blocker = ForeignTransaction.on(engines, gated.leaseId());
            Future<Tenure> blocked = callers.submit(() -> a.extendsTo(gated, ofSeconds(90)));
            Future<Tenure> one = callers.submit(() -> a.claims("one", "h", ofSeconds(60)));
            Future<Tenure> two = callers.submit(() -> a.claims("two", "h", ofSeconds(60)));

            get(earlier);
            get(one);
            get(two);

            assertThat(blocked).isNotDone();
            closeBlocker();
            get(blocked);
        }

        @Test
        @DisplayName("TX-10: a transaction that meets that of another engine is tried again")
        void aTransactionThatMeetsAnotherIsTriedAgain() throws Exception {
            registered();
            TestEngine c = engines.start("c");
            CountDownLatch conflict = new CountDownLatch(2);
            CountDownLatch open = new CountDownLatch(1);
            c.hooks().once(Point.BEFORE_COMMIT, () -> {
                open.countDown();
                await(conflict);
            });
            Future<Tenure> first = callers.submit(() -> c.claims("of c", "h", ofSeconds(60)));
            await(open);
            // The second try shows that the first one met the open transaction.
            a.hooks().always(Point.BEFORE_UPDATE, conflict::countDown);

            a.claims("name", "h", ofSeconds(60));

            get(first);
            assertThat(a.hooks().transactions()).hasSizeGreaterThanOrEqualTo(2);
            assertThat(a.hooks().commands("commitTransaction")).hasSize(1);
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            assertThat(engines.shortForm("of c")).isEqualTo("h/1");
        }

        @Test
        @DisplayName("TX-10: a write of the clock document alone waits for the open transaction, and then succeeds")
        void aWriteOfTheClockAloneWaits() throws Exception {
            TestEngine c = engines.start("c");
            CountDownLatch open = new CountDownLatch(1);
            CountDownLatch sent = new CountDownLatch(1);
            List<String> order = new CopyOnWriteArrayList<>();
            c.hooks().once(Point.BEFORE_COMMIT, () -> {
                open.countDown();
                await(sent);
                untilAnUpdateIsUnderWay();
                order.add("commit of c");
            });
            a.hooks().once(Point.BEFORE_CLOCK_WRITE, sent::countDown);
            a.hooks().once(Point.AFTER_CLOCK_WRITE, () -> order.add("registration of a"));
            Future<Tenure> first = callers.submit(() -> c.claims("of c", "h", ofSeconds(60)));
            await(open);

            a.claims("name", "h", ofSeconds(60));

            get(first);
            assertThat(order).containsExactly("commit of c", "registration of a");
            // One to make the clock document at the start, one to register.
            assertThat(a.hooks().clockWrites()).hasSize(2);
        }

        /** As the server sees it. The open transaction itself runs no command now. */
        private void untilAnUpdateIsUnderWay() {
            BsonDocument update = new BsonDocument("op", new BsonString("update"))
                    .append("appName", new BsonString(engines.database().name()));
            Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(
                    () -> engines.database().client().getDatabase("admin")
                            .aggregate(List.of(
                                    new Document("$currentOp", new Document()), Aggregates.match(update)))
                            .first() != null);
        }
    }

    /** The server fails once or twice. */
    @Nested
    class TransientErrors {

        private ActiveFailPoint failing(FailPoint failPoint) {
            return engines.database().activate(failPoint.forAppName(engines.database().name()));
        }

        private void assertOneEffect(ActiveFailPoint failPoint, long hits) throws InterruptedException {
            BsonDocument entry = engines.entry(writerOfA());
            long ticks = engines.ticks();

            assertThat(a.claims("name", "h", ofSeconds(60)).token()).isEqualTo(1);

            assertThat(failPoint.timesEntered()).isEqualTo(hits);
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            assertThat(engines.ticks()).isEqualTo(ticks + 1);
            assertThat(engines.entry(writerOfA()).getInt64("txn").getValue())
                    .isGreaterThan(entry.getInt64("txn").getValue())
                    .isEqualTo(Engines.written(engines.leaseDocument("name")));
        }

        @ParameterizedTest(name = "code {0}")
        @DisplayName("TX-9: a transient error of the update has no effect, and the operation has one")
        @ValueSource(ints = {112, 246, 251})
        void aTransientErrorOfTheUpdate(int code) throws InterruptedException {
            registered();
            assertOneEffect(
                    failing(FailPoint.failCommands("update")
                            .withErrorCode(code)
                            .withErrorLabels("TransientTransactionError")
                            .times(1)),
                    1);
        }

        @ParameterizedTest(name = "{0} times")
        @DisplayName("TX-9: a connection lost with the update has no effect, and the operation has one")
        @ValueSource(ints = {1, 2})
        void aConnectionLostWithTheUpdate(int times) throws InterruptedException {
            registered();
            assertOneEffect(failing(FailPoint.failCommands("update").closingConnection().times(times)), times);
        }

        @ParameterizedTest(name = "{0} times")
        @DisplayName("TX-9: a connection lost with the commit leaves one effect")
        @ValueSource(ints = {1, 2, 3})
        void aConnectionLostWithTheCommit(int times) throws InterruptedException {
            registered();
            assertOneEffect(failing(FailPoint.failCommands("commitTransaction").closingConnection().times(times)), times);
        }

        @Test
        @DisplayName("TX-9: a commit that finds no transaction never happened, and the operation is tried again")
        void aCommitThatFindsNoTransaction() throws InterruptedException {
            registered();
            assertOneEffect(
                    failing(FailPoint.failCommands("commitTransaction")
                            .withErrorCode(251)
                            .withErrorLabels("TransientTransactionError")
                            .times(1)),
                    1);
            assertThat(a.hooks().transactions()).hasSize(2);
        }
    }

    /** A commit whose answer was lost is sent again, before anything else may end its transaction. */
    @Nested
    class InDoubt {

        @Test
        @DisplayName("A read that comes while a commit is in doubt does not take its certainty away")
        void aReadWhileACommitIsInDoubt() throws Exception {
            registered();
            List<Future<LeaseState>> reads = new CopyOnWriteArrayList<>();
            ActiveFailPoint lost = engines.database().activate(FailPoint.failCommands("commitTransaction")
                    .closingConnection()
                    .times(4)
                    .forAppName(engines.database().name()));
            a.hooks().once(Point.BEFORE_COMMIT, () -> {
                reads.add(callers.submit(() -> a.sees("before")));
                a.runtime().untilCallersWait(2);
            });

            assertThat(a.claims("name", "h", ofSeconds(60)).token()).isEqualTo(1);

            assertThat(get(reads.get(0)).status()).isEqualTo(LeaseStatus.ACTIVE);
            assertThat(lost.timesEntered()).isEqualTo(4);
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
        }
    }

    /** A thread that calls the engine is interrupted. */
    @Nested
    class Interruption {

        @Test
        @DisplayName("TX-11: a caller interrupted while waiting for its turn leaves, and its operation is never sent")
        void interruptedWhileWaiting() throws Exception {
            registered();
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch gone = new CountDownLatch(1);
            a.hooks().once(Point.BEFORE_COMMIT, () -> {
                busy.countDown();
                await(gone);
            });
            Future<Tenure> first = callers.submit(() -> a.claims("first", "h", ofSeconds(60)));
            await(busy);
            CompletableFuture<Thread> second = new CompletableFuture<>();
            Future<LeaseAnswer> answer = callers.submit(() -> {
                second.complete(Thread.currentThread());
                return a.engine().claim("second", "h", ofSeconds(60));
            });
            a.runtime().untilCallersWait(2);

            get(second).interrupt();

            assertThatThrownBy(() -> get(answer)).cause().isInstanceOf(InterruptedException.class);
            gone.countDown();
            get(first);
            a.claims("third", "h", ofSeconds(60));
            assertThat(engines.leaseDocument("second")).isNull();
            assertThat(a.hooks().transactions().toString()).doesNotContain("second");
        }

        @Test
        @DisplayName("TX-11: a caller interrupted just before its commit leaves, the commit is withheld, and others go on")
        void interruptedBeforeTheCommit() throws Exception {
            registered();
            CountDownLatch busy = new CountDownLatch(1);
            CompletableFuture<Thread> impatient = new CompletableFuture<>();
            List<Future<LeaseAnswer>> answers = new CopyOnWriteArrayList<>();
            a.hooks().once(Point.BEFORE_COMMIT, () -> {
                busy.countDown();
                a.runtime().untilCallersWait(3);
                a.hooks().once(Point.AFTER_UPDATE, () -> {
                    get(impatient).interrupt();
                    assertThatThrownBy(() -> get(answers.get(0))).cause().isInstanceOf(InterruptedException.class);
                });
            });
            Future<Tenure> first = callers.submit(() -> a.claims("first", "h", ofSeconds(60)));
            await(busy);
            answers.add(callers.submit(() -> {
                impatient.complete(Thread.currentThread());
                return a.engine().claim("second", "h", ofSeconds(60));
            }));
            answers.add(callers.submit(() -> a.engine().claim("third", "h", ofSeconds(60))));

            get(first);
            granted(get(answers.get(1)));

            assertThat(engines.leaseDocument("second")).isNull();
            assertThat(engines.shortForm("third")).isEqualTo("h/1");
            assertThat(a.hooks().commands("abortTransaction")).hasSize(1);
        }

        @Test
        @DisplayName("TX-11: a caller interrupted while its commit is under way is answered, and keeps the flag")
        void interruptedWhileCommitting() throws Exception {
            registered();
            Thread caller = Thread.currentThread();
            a.hooks().once(Point.BEFORE_COMMIT, caller::interrupt);

            LeaseAnswer answer;
            boolean flag;
            try {
                answer = a.engine().claim("name", "h", ofSeconds(60));
            } finally {
                flag = Thread.interrupted();
            }

            assertThat(flag).isTrue();
            assertThat(a.engine().isHeld(granted(answer))).isTrue();
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
        }

        @Test
        @DisplayName("TX-11: a caller with its flag set sends nothing")
        void interruptedBefore() throws InterruptedException {
            registered();
            CountDownLatch gone = new CountDownLatch(1);
            a.hooks().once(Point.BEFORE_READ, () -> await(gone));
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> a.engine().claim("name", "h", ofSeconds(60)))
                    .isInstanceOf(InterruptedException.class);

            assertThat(Thread.interrupted()).isFalse();
            gone.countDown();
            a.claims("other", "h", ofSeconds(60));
            assertThat(engines.leaseDocument("name")).isNull();
        }
    }

    /** The writer's entry in the clock document. */
    @Nested
    class Registration {

        @Test
        @DisplayName("Registration is a write of its own before the first transaction, and names the driver session")
        void registrationComesFirst() throws InterruptedException {
            a.hooks().forgetCommands();
            BsonDocument[] entryBefore = new BsonDocument[1];
            a.hooks().once(Point.BEFORE_UPDATE, () -> entryBefore[0] = engines.clockDocument().getDocument("writers"));

            a.claims("before", "h", ofSeconds(60));

            assertThat(a.hooks().commands("update")).hasSize(2).first().satisfies(register -> {
                assertThat(register.containsKey("startTransaction")).isFalse();
                assertThat(register.getDocument("writeConcern").get("w")).isEqualTo(new BsonString("majority"));
            });
            BsonBinary session = lsid(a.hooks().transactions().get(0));
            assertThat(entryBefore[0].getDocument(writerOfA()).getBinary("lsid")).isEqualTo(session);
            assertThat(engines.entry(writerOfA()).getBinary("lsid")).isEqualTo(session);
            assertThat(entryBefore[0].getDocument(writerOfA()).getInt64("time").getValue()).isEqualTo(Z - 1);
        }

        @Test
        @DisplayName("Closing takes the driver session out of the clock document, and leaves the entry")
        void closingTakesTheDriverSessionOut() throws InterruptedException {
            registered();
            String writer = writerOfA();

            a.close();

            assertThat(engines.entry(writer).keySet()).containsExactlyInAnyOrder("time", "txn");
            assertThat(engines.shortForm("before")).isEqualTo("h/1");
        }

        @Test
        @DisplayName("An engine that never wrote closes without a trace")
        void anEngineThatNeverWroteLeavesNoTrace() {
            long ticks = engines.ticks();

            a.close();

            assertThat(engines.ticks()).isEqualTo(ticks);
            assertThat(engines.clockDocument().getDocument("writers")).isEmpty();
        }

        @Test
        @DisplayName("An engine whose entry is gone goes on as a new writer, and waits for its old lease like anybody")
        void anEngineWhoseEntryIsGoneGoesOnAsANewWriter() throws InterruptedException {
            registered();
            String old = writerOfA();
            engines.removeEntry(old);
            a.clock().advance(ofSeconds(10));

            a.claims("name", "h", ofSeconds(60));

            String writer = Engines.writer(engines.leaseDocument("name"));
            assertThat(writer).startsWith("a#").isNotEqualTo(old);
            assertThat(engines.clockDocument().getDocument("writers").keySet()).containsExactly(writer);
            assertThat(engines.entry(writer).getBinary("lsid")).isEqualTo(lsid(a.hooks().transactions().get(0)));
            // First seen as another's 10 s after it was written for 60 s, with no word since of the writer that it had.
            assertThat(a.latestNanos("before")).isEqualTo(Z + 70 * SECOND);
            a.clock().advance(ofSeconds(60));
            refused(a.engine().expire("before"), Reason.NOT_EXPIRED);
            a.clock().advanceNanos(1);
            a.expires("before");
        }
    }
}
