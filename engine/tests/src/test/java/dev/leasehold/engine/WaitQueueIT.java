package dev.leasehold.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.FailPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The wait queue that all engines of a lease share: {@code a} holds it, and others wait. */
class WaitQueueIT extends WithEngines {

    private static final Duration LONG = ofHours(1);
    private static final LeaseRequest LEASE = LeaseRequest.of("name");

    /** The command is carried out, and its outcome is unknown. */
    private static final int UNSATISFIABLE_WRITE_CONCERN = 100;
    /** The command is not carried out. */
    private static final int INTERRUPTED = 11601;

    private TestEngine a;
    private TestEngine b;
    private TestEngine c;

    @BeforeEach
    void startAll() {
        a = engines.start("a");
        b = engines.start("b");
        c = engines.start("c");
    }

    private static Lease get(CompletableFuture<Acquisition> waiting) throws Exception {
        return waiting.get(1, TimeUnit.MINUTES).orElseThrow();
    }

    /** Begins to wait, and goes on when its ticket stands in the queue and {@code a} has read that. */
    private CompletableFuture<Acquisition> waits(TestEngine engine, LeaseRequest request) throws Exception {
        int before = tickets().size();
        CompletableFuture<Acquisition> waiting = engine.waitsFor(request, LONG);
        await().until(() -> tickets().size() == before + 1);
        engine.settles();
        a.sees("name");
        return waiting;
    }

    private @Nullable BsonDocument queue() {
        return engines.documents()
                .find(Filters.eq("_id", Engines.NAMESPACE + "&name"))
                .first();
    }

    private List<BsonValue> tickets() {
        BsonDocument queue = queue();
        return queue == null ? List.of() : queue.getArray("waiters", new BsonArray());
    }

    /** Until no ticket stands there any more. */
    private void untilAllAreWithdrawn() {
        await().until(() -> {
            List.of(a, b, c).forEach(engine -> {
                engine.clock().advance(Duration.ofMillis(50));
                engine.settles();
            });
            return tickets().isEmpty();
        });
    }

    @Test
    @DisplayName("Q-01: a release makes the waiter of another process the holder, in one write of the lease")
    void aReleaseGrants() throws Exception {
        Lease lease = a.acquires(LEASE.holder("h"));
        CompletableFuture<Acquisition> waiting =
                waits(b, LEASE.holder("h2").comment("run of 3 March").payload("10.0.0.2:8080"));
        BsonDocument ticket = tickets().get(0).asDocument();
        a.hooks().forgetCommands();
        b.hooks().forgetCommands();

        lease.close();

        assertThat(get(waiting).token()).isEqualTo(2);
        assertThat(a.hooks().leaseWrites()).hasSize(1);
        assertThat(a.hooks().transactions()).isEmpty();
        assertThat(b.hooks().leaseWrites()).isEmpty();
        BsonDocument document = stored();
        assertThat(engines.shortForm("name")).isEqualTo("h2/2");
        assertThat(Engines.writer(document)).isEqualTo(b.writer());
        assertThat(Engines.written(document)).isEqualTo(ticket.getInt64("stamp").getValue());
        assertThat(document.getString("comment").getValue()).isEqualTo("run of 3 March");
        assertThat(document.getString("payload").getValue()).isEqualTo("10.0.0.2:8080");
        assertThat(document).doesNotContainKey("expiry");
        assertThat(get(waiting).remaining()).isEqualTo(ofSeconds(30));
        assertThat(lease.isHeld()).isFalse();
        untilAllAreWithdrawn();
    }

    @Test
    @DisplayName(
            "Q-02: waiters of two processes are served one after the other, and the lease is never vacant in between")
    void oneAfterTheOther() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> first = waits(b, LEASE);
        CompletableFuture<Acquisition> second = waits(c, LEASE);

        lease.close();
        Lease ofB = get(first);
        assertThat(ofB.token()).isEqualTo(2);
        assertThat(second).isNotDone();
        b.settles();
        ofB.close();

        assertThat(get(second).token()).isEqualTo(3);
        assertThat(stored().isNull("holder")).isFalse();
    }

    @Test
    @DisplayName("Q-03: the waiter with the highest priority is granted first")
    void priority() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> usual = waits(b, LEASE);
        CompletableFuture<Acquisition> urgent = waits(c, LEASE.priority(5));

        lease.close();

        assertThat(get(urgent).token()).isEqualTo(2);
        assertThat(usual).isNotDone();
        c.settles();
        get(urgent).close();
        assertThat(get(usual).token()).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "Q-04: waiters of the holding engine need no ticket and one write each, and one of another engine comes in"
                    + " its turn")
    void waitersOfTheHoldingEngine() throws Exception {
        Lease lease = a.acquires(LEASE.holder("h"));
        CompletableFuture<Acquisition> x = a.waitsFor(LEASE.holder("x"), LONG);
        CompletableFuture<Acquisition> y = a.waitsFor(LEASE.holder("y"), LONG);
        a.settles();
        assertThat(tickets()).isEmpty();
        a.hooks().forgetCommands();

        lease.close();
        assertThat(get(x).token()).isEqualTo(2);
        assertThat(a.hooks().leaseWrites()).hasSize(1);
        a.settles();
        CompletableFuture<Acquisition> ofB = waits(b, LEASE);
        // By then it has read the queue again.
        a.clock().advance(Duration.ofMillis(50));
        a.settles();
        get(x).close();

        assertThat(get(ofB).token()).isEqualTo(3);
        assertThat(y).isNotDone();
        b.settles();
        await().until(() -> tickets().size() == 2 || !a.hooks().queueWrites().isEmpty());
        b.clock().advance(Duration.ofMillis(50));
        b.settles();
        get(ofB).close();
        assertThat(get(y).token()).isEqualTo(4);
    }

    @Test
    @DisplayName("Q-05: waiters of one holder have one ticket, and get handles of one tenure")
    void waitersOfOneHolder() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> first = waits(b, LEASE.holder("h"));
        CompletableFuture<Acquisition> second = b.waitsFor(LEASE.holder("h"), LONG);
        b.settles();
        assertThat(tickets()).hasSize(1);

        lease.close();

        assertThat(get(first).token()).isEqualTo(2);
        assertThat(get(second).token()).isEqualTo(2);
        get(first).close();
        assertThat(engines.shortForm("name")).isEqualTo("h/2");
        get(second).close();
        assertThat(engines.shortForm("name")).isEqualTo("-/2");
    }

    @Test
    @DisplayName("Q-05: the ticket of a holder asks for what its first waiter asks for, also when that comes later or"
            + " has left")
    void ticketOfAHolderFollowsItsFirstWaiter() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> low = waits(b, LEASE.holder("h").payload("low"));
        CompletableFuture<Acquisition> other = waits(c, LEASE.priority(1));

        CompletableFuture<Acquisition> high =
                b.waitsFor(LEASE.holder("h").priority(2).payload("high"), LONG);
        untilTheTicketOf("h", 2, "high");
        high.cancel(false);
        untilTheTicketOf("h", 0, "low");
        a.sees("name");
        lease.close();

        assertThat(get(other).token()).as("has a higher priority").isEqualTo(2);
        assertThat(low).isNotDone();
    }

    private void untilTheTicketOf(String holder, int priority, String payload) {
        await().until(() -> {
            b.settles();
            return tickets().stream()
                    .map(BsonValue::asDocument)
                    .filter(ticket -> ticket.getString("holder").getValue().equals(holder))
                    .map(ticket -> ticket.getInt32("priority").getValue() + " "
                            + ticket.getString("payload").getValue())
                    .toList()
                    .equals(List.of(priority + " " + payload));
        });
    }

    @Test
    @DisplayName("Q-06: where nothing waits there is no queue, and a release sends its one write alone")
    void nothingWaits() throws Exception {
        Lease lease = a.acquires(LEASE);
        a.hooks().forgetCommands();

        lease.close();
        a.acquires(LEASE).close();

        assertThat(a.hooks().commands()).extracting(BsonDocument::getFirstKey).containsOnly("update");
        assertThat(a.hooks().leaseWrites()).hasSize(3).allSatisfy(write -> {
            assertThat(write.getArray("updates")).hasSize(1);
            assertThat(write.getBoolean("ordered").getValue()).isFalse();
        });
        assertThat(queue()).isNull();
    }

    @Test
    @DisplayName("Q-07: a ticket whose wait is over is withdrawn, and the lease is left vacant")
    void aWaitThatIsOver() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = b.waitsFor(LEASE, ofSeconds(5));
        await().until(() -> tickets().size() == 1);

        b.clock().advance(ofSeconds(5));
        TestEngine.notAcquired(waiting.get(1, TimeUnit.MINUTES), Reason.HELD);
        await().until(() -> tickets().isEmpty());
        lease.close();

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @Test
    @DisplayName("Q-08: withdrawn after its grant was decided: released to the next, and its caller got the refusal")
    void withdrawnAfterItsGrantWasDecided() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = b.waitsFor(LEASE, ofSeconds(5));
        await().until(() -> tickets().size() == 1);
        CompletableFuture<Acquisition> next = waits(c, LEASE);
        assertThat(tickets()).hasSize(2);
        a.hooks().once(Point.BEFORE_LEASE_WRITE, () -> {
            b.clock().advance(ofSeconds(5));
            TestEngine.notAcquired(waiting.get(1, TimeUnit.MINUTES), Reason.HELD);
            await().until(() -> tickets().size() == 1);
        });

        lease.close();

        assertThat(get(next).token()).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "Q-10: a ticket that comes when the lease is vacant: the look after it finds that, and its engine claims")
    void aTicketThatComesLate() throws Exception {
        Lease lease = a.acquires(LEASE);
        b.hooks().once(Point.BEFORE_QUEUE_WRITE, lease::close);

        CompletableFuture<Acquisition> waiting =
                b.engine().tryAcquireAsync(LEASE.waitAtMost(LONG)).toCompletableFuture();

        assertThat(get(waiting).token()).isEqualTo(2);
        untilAllAreWithdrawn();
    }

    @Test
    @DisplayName("Q-15: granted while its session has lapsed: not held, and held under the same token after the next"
            + " heartbeat")
    void grantedWhileItsSessionHasLapsed() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        b.runtime().betweenCommands(() -> b.clock().advance(ofSeconds(31)));
        lease.close();

        Lease granted = get(waiting);

        assertThat(granted.token()).isEqualTo(2);
        assertThat(granted.isHeld()).isTrue();
    }

    @Test
    @DisplayName("Q-16: evicted before it hears: the lease is free, and its new writer hears nothing of the old grant")
    void evictedBeforeItHears() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        String writer = b.writer();
        a.hooks().once(Point.BEFORE_LEASE_WRITE, () -> engines.removeEntry(writer));

        lease.close();

        // At once, or where it had read the lease just before the grant, by its next look.
        await().until(() -> {
            b.clock().advance(ofSeconds(1));
            b.settles();
            return waiting.isDone();
        });
        assertThat(get(waiting).token()).isEqualTo(3);
        assertThat(b.writer()).isNotEqualTo(writer);
    }

    @Test
    @DisplayName("Q-19: a lease that is to be kept free is not granted, and acquired after its time")
    void keptFree() throws Exception {
        Lease lease = a.acquires(LEASE.atLeast(ofSeconds(10)));
        a.clock().advance(ofSeconds(1));
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);

        lease.close();
        b.settles();

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
        assertThat(waiting).isNotDone();
        for (int second = 0; second < 12 && !waiting.isDone(); second++) {
            a.clock().advance(ofSeconds(1));
            a.settles();
            b.clock().advance(ofSeconds(1));
            b.settles();
        }
        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("Q-20: a pinned lease is not granted, and claimed at once when the pin is gone")
    void pinned() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        a.engine().admin().pin("name", "ops");

        lease.close();
        b.settles();
        assertThat(engines.shortForm("name")).isEqualTo("-/1");

        a.engine().admin().unpin("name", "ops");
        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("Q-20: a pin between decision and write keeps the lease from being granted")
    void pinnedMeanwhile() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        a.hooks().once(Point.BEFORE_LEASE_WRITE, () -> c.engine().admin().pin("name", "ops"));

        lease.close();
        b.settles();

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
        assertThat(waiting).isNotDone();
    }

    @Test
    @DisplayName("Q-21: gate stripes of the ticket: granted in a transaction, and all stripes show it")
    void gateStripes() throws Exception {
        Lease lease = a.acquires(LEASE.gateStripes(2));
        CompletableFuture<Acquisition> waiting = waits(b, LEASE.gateStripes(4));
        a.hooks().forgetCommands();

        lease.close();

        Lease granted = get(waiting);
        assertThat(granted.token()).isEqualTo(2);
        assertThat(a.hooks().transactions()).hasSize(1);
        assertThat(stored().getInt32("stripes").getValue()).isEqualTo(4);
        b.commitsUnder(granted.assertion());
    }

    @Test
    @DisplayName("Q-22: a term lease is granted to a session waiter in a transaction; a term waiter has no ticket, and"
            + " claims")
    void terms() throws Exception {
        Lease term = a.acquires(LEASE.term(ofSeconds(60)));
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        a.hooks().forgetCommands();

        term.close();
        Lease granted = get(waiting);
        assertThat(granted.token()).isEqualTo(2);
        assertThat(a.hooks().transactions()).hasSize(1);

        untilAllAreWithdrawn();
        CompletableFuture<Acquisition> ofTerm = c.waitsFor(LEASE.term(ofSeconds(60)), LONG);
        assertThat(tickets()).isEmpty();
        granted.close();
        assertThat(get(ofTerm).token()).isEqualTo(3);
    }

    @Test
    @DisplayName("Q-24: a forced expiry that saw a tenure does not end the next one")
    void forcedExpiry() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        c.hooks().once(Point.BEFORE_UPDATE, () -> {
            lease.close();
            get(waiting);
        });

        TestEngine.refused(c.engine().admin().forceExpire("name", "it hangs"), Reason.NOT_THAT_TENURE);

        assertThat(get(waiting).isHeld()).isTrue();
        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("Q-26: a corrupt queue: leases are acquired and released as without a queue, and it is never repaired")
    void aCorruptQueue() throws Exception {
        engines.expectCorruptDocuments();
        engines.documents().insertOne(BsonDocument.parse("{_id: 'billing&name', type: 'queue', waiters: 'none'}"));
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = b.waitsFor(LEASE, LONG);

        lease.close();

        assertThat(get(waiting).token()).isEqualTo(2);
        get(waiting).close();
        assertThat(engines.shortForm("name")).isEqualTo("-/2");
        assertThat(queue().getString("waiters").getValue()).isEqualTo("none");
    }

    @Test
    @DisplayName("Q-28: a close grants the leases that are waited for, and none is left to an absent writer")
    void aCloseGrants() throws Exception {
        List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
        List<Lease> held = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            held.add(a.acquires("lease " + number));
            waiting.add(b.waitsFor("lease " + number));
        }
        b.settles();
        // It reads the waiters, as it does from time to time.
        a.engine().refresh(held.stream().map(Lease::name).toList());
        a.clock().advance(ofSeconds(1));
        a.settles();

        a.close();

        for (CompletableFuture<Acquisition> each : waiting) {
            assertThat(get(each).token()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("Q-27: an engine without the queue leaves the lease vacant, and waits without a ticket")
    void anEngineWithoutTheQueue() throws Exception {
        TestEngine d = engines.startWithoutQueue("d");
        Lease lease = d.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        d.hooks().forgetCommands();
        lease.close();
        Lease claimed = get(waiting);
        assertThat(claimed.token()).isEqualTo(2);
        untilAllAreWithdrawn();

        CompletableFuture<Acquisition> ofD = d.waitsFor(LEASE, LONG);
        d.settles();
        assertThat(tickets()).isEmpty();
        claimed.close();
        assertThat(get(ofD).token()).isEqualTo(3);
    }

    @Test
    @DisplayName("Q-23: superseded while another waits: its ticket stays, and is granted at the release")
    void superseded() throws Exception {
        a.acquires(LEASE.holder("h"));
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        Lease superseding = c.acquires(LEASE.holder("h").supersede(true));
        assertThat(superseding.token()).isEqualTo(2);
        c.engine().refresh(List.of("name"));

        superseding.close();

        assertThat(get(waiting).token()).isEqualTo(3);
    }

    @Test
    @DisplayName("Q-11: the reply to an enqueue is lost: it may stand twice, and one tenure comes of it")
    void theReplyToAnEnqueueIsLost() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        BsonValue ticket = tickets().get(0);
        // As if it had been sent again.
        engines.documents().updateOne(Filters.eq("_id", "billing&name"), Updates.push("waiters", ticket));

        lease.close();
        Lease granted = get(waiting);
        assertThat(granted.token()).isEqualTo(2);
        b.settles();
        granted.close();

        assertThat(engines.shortForm("name")).isEqualTo("-/2");
        untilAllAreWithdrawn();
    }

    @Test
    @DisplayName("Q-14: a ticket that was granted twice: a write that was decided on the first grant misses")
    void grantedTwice() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        BsonDocument ticket = tickets().get(0).asDocument();
        lease.close();
        Tenure first = get(waiting).tenure();
        assertThat(first.token()).isEqualTo(2);
        long stamp = ticket.getInt64("stamp").getValue();
        assertThat(Engines.written(stored())).isEqualTo(stamp);

        // The same pair of writer and stamp again, under a later token.
        engines.documents().updateOne(Filters.eq("_id", "billing#name"), Updates.set("token", 5L));
        get(waiting).close();
        b.settles();

        assertThat(stored().getInt64("token").getValue()).isEqualTo(5);
    }

    @Test
    @DisplayName(
            "Q-09: a grant that waited behind a caller's transaction while its ticket was withdrawn: heard late, and"
                    + " released")
    void withdrawnWhileItsGrantWaits() throws Exception {
        try (LogCapture log = new LogCapture()) {
            grantsBehindATransactionWhatIsWithdrawn();

            await().until(() -> engines.shortForm("name").equals("-/2"));
            assertThat(log.warningsAbout("nothing is known here of that tenure"))
                    .as("no document was restored")
                    .isEmpty();
        }
        assertThat(b.hooks().leaseWrites()).as("the release of b").hasSize(1);
    }

    @Test
    @DisplayName("Q-09: the same where no change is reported: the next look for closed tickets finds the grant")
    void withdrawnWhileItsGrantWaitsAndNoChangeIsReported() throws Exception {
        engines.withoutChanges();
        grantsBehindATransactionWhatIsWithdrawn();
        b.settles();
        assertThat(engines.shortForm("name")).endsWith("/2").isNotEqualTo("-/2");

        b.clock().advance(ofSeconds(30));

        await().until(() -> engines.shortForm("name").equals("-/2"));
    }

    /** {@code b} withdraws its ticket and looks once, while the grant to it waits behind a transaction of a caller. */
    private void grantsBehindATransactionWhatIsWithdrawn() throws Exception {
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = b.waitsFor(LEASE, ofSeconds(5));
        await().until(() -> tickets().size() == 1);
        a.sees("name");
        CompletableFuture<Boolean> closed;
        try (ClientSession caller = a.client().startSession()) {
            caller.startTransaction();
            lease.assertion().check(caller);
            a.reports().insertOne(caller, new BsonDocument());
            closed = lease.closeAsync().toCompletableFuture();
            engines.untilAnUpdateIsUnderWay();

            b.clock().advance(ofSeconds(5));
            TestEngine.notAcquired(waiting.get(1, TimeUnit.MINUTES), Reason.HELD);
            await().until(() -> tickets().isEmpty());
            b.settles();
            assertThat(engines.shortForm("name")).endsWith("/1").isNotEqualTo("-/1");
            caller.commitTransaction();
        }
        assertThat(closed.get(1, TimeUnit.MINUTES)).isTrue();
    }

    /** An engine whose commands can fail apart from those of the others. */
    private TestEngine startsApart(String instance) {
        return engines.startWith(instance, client -> client.applicationName(apart()));
    }

    private String apart() {
        return engines.database().name() + "_apart";
    }

    private ActiveFailPoint fails(FailPoint failPoint) {
        return engines.database().activate(failPoint.forAppName(apart()));
    }

    @Test
    @DisplayName("Q-12: the reply to a grant is lost: the barrier and a read tell, and one grant landed")
    void theReplyToAGrantIsLost() throws Exception {
        a = startsApart("apart");
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        a.hooks().forgetCommands();
        a.hooks()
                .once(
                        Point.BEFORE_LEASE_WRITE,
                        () -> fails(FailPoint.failCommands("update")
                                .withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN)
                                .times(2)));

        CompletableFuture<Boolean> closed = lease.closeAsync().toCompletableFuture();

        assertThat(closed.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(get(waiting).token()).isEqualTo(2);
        assertThat(get(waiting).isHeld()).isTrue();
        assertThat(Hooks.numbersOf(a.hooks().leaseWrites())).as("grants").hasSize(1);
        assertThat(a.hooks().clockWrites()).as("barriers").isNotEmpty();
        assertThat(stored().getInt64("token").getValue()).isEqualTo(2);
        untilAllAreWithdrawn();
    }

    @Test
    @DisplayName("Q-13: a grant that arrives when its engine is gone, and the waiter has claimed: it misses")
    void aGrantThatArrivesLate() throws Exception {
        a = startsApart("apart");
        Lease lease = a.acquires(LEASE);
        String writer = a.writer();
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        a.hooks().forgetCommands();
        a.hooks()
                .once(
                        Point.BEFORE_LEASE_WRITE,
                        () -> fails(FailPoint.failCommands("update", "find").withErrorCode(INTERRUPTED)));
        CompletableFuture<Boolean> closed = lease.closeAsync().toCompletableFuture();
        await().until(() -> !a.hooks().leaseWrites().isEmpty());
        BsonDocument grant = a.hooks().leaseWrites().get(0);
        a.engine().closeWithoutRelease();
        assertThat(engines.shortForm("name")).endsWith("/1");

        engines.removeEntry(writer);
        b.clock().advance(ofSeconds(5));
        Lease claimed = get(waiting);
        assertThat(claimed.token()).isEqualTo(2);
        BsonDocument before = stored();
        Document answer = engines.database()
                .database()
                .runCommand(new BsonDocument("update", grant.get("update"))
                        .append("updates", grant.get("updates"))
                        .append("ordered", grant.get("ordered")));

        assertThat(answer.getInteger("n")).isZero();
        assertThat(stored()).isEqualTo(before);
        assertThat(Engines.writer(before)).isEqualTo(b.writer());
        b.commitsUnder(claimed.assertion());
        assertThat(closed)
                .satisfiesAnyOf(
                        end -> assertThat(end).isNotDone(),
                        end -> assertThat(end.join()).isFalse());
    }

    @Test
    @DisplayName(
            "Q-18: granted to an engine that has just died: the next waiter holds within the bound of that session")
    void grantedToADeadEngine() throws Exception {
        try (ClientNetwork network = ClientNetwork.open()) {
            TestEngine dead = engines.startWith(
                    "dead",
                    client -> client.applyConnectionString(
                            new ConnectionString(network.uri(engines.database().uri()))));
            Lease lease = a.acquires(LEASE);
            waits(dead, LEASE);
            CompletableFuture<Acquisition> next = waits(c, LEASE);
            network.cut(ClientNetwork.Cut.SILENT);
            lease.close();
            assertThat(Engines.writer(stored())).isEqualTo(dead.writer());
            c.settles();

            // It has seen the last stamp by now, at this time of its clock.
            Duration waited = Duration.ZERO;
            while (!next.isDone() && waited.compareTo(ofSeconds(40)) < 0) {
                assertThat(Engines.writer(stored())).isNotEqualTo(c.writer());
                c.clock().advance(ofMillis(500));
                waited = waited.plusMillis(500);
                c.settles();
            }

            assertThat(get(next).token()).isEqualTo(3);
            assertThat(waited).isBetween(ofSeconds(30), ofSeconds(32));
            network.cut(ClientNetwork.Cut.BROKEN);
            network.mend();
            dead.close();
        }
    }

    @Test
    @DisplayName("Q-32: without a change stream the first waiter hears of its grant within 300 ms")
    void heardWithoutAChangeStream() throws Exception {
        engines.withoutChanges();
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);

        lease.close();

        b.settles();
        b.clock().advance(ofMillis(300));
        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("Q-32: where the change stream reports nothing, the first waiter hears of its grant within 1.1 s")
    void heardWhereTheChangeStreamReportsNothing() throws Exception {
        ActiveFailPoint silent = engines.fail(FailPoint.failCommands("getMore").blocking(ofSeconds(5)));
        Lease lease = a.acquires(LEASE);
        CompletableFuture<Acquisition> waiting = waits(b, LEASE);
        silent.awaitEntered(1, ofSeconds(30));

        lease.close();

        b.settles();
        b.clock().advance(ofMillis(1_100));
        assertThat(get(waiting).token()).isEqualTo(2);
        silent.close();
    }
}
