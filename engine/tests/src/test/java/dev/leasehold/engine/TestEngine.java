package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;

/** One engine of a test, in the words of the scenarios. */
final class TestEngine implements AutoCloseable {

    private final Engines engines;
    private final String instance;
    private final LeaseEngine engine;
    private final MongoClient client;
    private final TestClock clock;
    private final TestRuntime runtime;
    private final Hooks hooks;

    TestEngine(
            Engines engines,
            String instance,
            LeaseEngine engine,
            MongoClient client,
            TestClock clock,
            TestRuntime runtime,
            Hooks hooks) {
        this.engines = engines;
        this.instance = instance;
        this.engine = engine;
        this.client = client;
        this.clock = clock;
        this.runtime = runtime;
        this.hooks = hooks;
    }

    LeaseEngine engine() {
        return engine;
    }

    /** The application's client, whose sessions carry the assertions of this engine. */
    MongoClient client() {
        return client;
    }

    TestClock clock() {
        return clock;
    }

    TestRuntime runtime() {
        return runtime;
    }

    Hooks hooks() {
        return hooks;
    }

    /** Under which name it writes: the one entry of its instance name. */
    String writer() {
        return engines.writers().stream()
                .filter(writer -> writer.startsWith(instance + "#"))
                .findFirst()
                .orElseThrow();
    }

    /** Acquires at once for a holder of its own, and must get a yes. */
    Lease acquires(String name) throws InterruptedException {
        return acquires(LeaseRequest.of(name));
    }

    Lease acquires(LeaseRequest request) throws InterruptedException {
        Acquisition acquisition = engine.tryAcquire(request);
        assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
        return acquisition.orElseThrow();
    }

    /** Tries to acquire at once, and must get a no. */
    Refusal isRefused(String name, Refusal.Reason reason) throws InterruptedException {
        return isRefused(LeaseRequest.of(name), reason);
    }

    Refusal isRefused(LeaseRequest request, Refusal.Reason reason) throws InterruptedException {
        return notAcquired(engine.tryAcquire(request), reason);
    }

    static Refusal notAcquired(Acquisition acquisition, Refusal.Reason reason) {
        assertThat(acquisition).isInstanceOf(Acquisition.NotAcquired.class);
        Refusal refusal = ((Acquisition.NotAcquired) acquisition).refusal();
        assertThat(refusal.reason()).as(refusal.message()).isEqualTo(reason);
        return refusal;
    }

    /** Begins to wait for a lease, and goes on when the first read of it has found it held. */
    CompletableFuture<Acquisition> waitsFor(LeaseRequest request, Duration wait) {
        CompletableFuture<Acquisition> acquisition =
                engine.tryAcquireAsync(request.waitAtMost(wait)).toCompletableFuture();
        settles();
        assertThat(acquisition).isNotDone();
        return acquisition;
    }

    CompletableFuture<Acquisition> waitsFor(String name) {
        return waitsFor(LeaseRequest.of(name), Duration.ofHours(1));
    }

    /** The heartbeat that is due at the present time of its clock has been sent, and was acknowledged. */
    void heartbeats() {
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> engines.time(writer()) == clock.wallNanos());
        settles();
    }

    /** Whatever is due by now is done. */
    void settles() {
        runtime.settle();
    }

    /** Runs a transaction that is gated by a tenure, through a session of the application's client. */
    void commitsUnder(LeaseAssertion assertion) {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                assertion.check(session);
                return reports().insertOne(session, new BsonDocument());
            });
        }
    }

    /** What the application writes, through its own client. */
    MongoCollection<BsonDocument> reports() {
        return client.getDatabase(engines.database().name())
                .getCollection(engines.reports().getNamespace().getCollectionName(), BsonDocument.class);
    }

    /** Claims, and must get a yes. */
    Tenure claims(String name, String holder, Duration duration) throws InterruptedException {
        return granted(engine.tenures().claim(name, holder, duration));
    }

    Tenure takesOver(String name, String holder, Duration duration) throws InterruptedException {
        return granted(engine.tenures().takeOver(name, holder, duration));
    }

    Tenure extendsTo(Tenure tenure, Duration duration) throws InterruptedException {
        return granted(engine.tenures().extend(tenure, duration));
    }

    Tenure expires(String name) throws InterruptedException {
        return granted(engine.tenures().expire(name));
    }

    Tenure releases(Tenure tenure) throws InterruptedException {
        return granted(engine.tenures().release(tenure));
    }

    /** Reads one lease. */
    LeaseState sees(String name) throws InterruptedException {
        return engine.refresh(List.of(name)).get(0);
    }

    /** Lists all leases, and finds one. */
    LeaseState lists(String name) throws InterruptedException {
        return engine.leases().stream()
                .filter(state -> state.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The latest local expiry of a held lease, in nanoseconds. */
    long latestNanos(String name) throws InterruptedException {
        return latestNanos(sees(name));
    }

    static long latestNanos(LeaseState state) {
        assertThat(state).isInstanceOf(LeaseState.Held.class);
        LeaseState.Held held = (LeaseState.Held) state;
        assertThat(held.latestExpiry()).isNotNull();
        return nanos(held.latestExpiry());
    }

    private static long nanos(java.time.Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    static Tenure granted(LeaseResult answer) {
        assertThat(answer).isInstanceOf(Granted.class);
        return answer.orElseThrow();
    }

    static Refusal refused(LeaseResult answer, Refusal.Reason reason) {
        assertThat(answer).isInstanceOf(Refusal.class);
        Refusal refusal = (Refusal) answer;
        assertThat(refusal.reason()).as(refusal.message()).isEqualTo(reason);
        return refusal;
    }

    @Override
    public void close() {
        engine.close();
    }
}
