package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.Tenure;
import java.time.Duration;
import java.util.List;

/** One engine of a test, in the words of the scenarios. */
final class TestEngine implements AutoCloseable {

    private final LeaseEngine engine;
    private final MongoClient client;
    private final TestClock clock;
    private final TestRuntime runtime;
    private final Hooks hooks;

    TestEngine(LeaseEngine engine, MongoClient client, TestClock clock, TestRuntime runtime, Hooks hooks) {
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

    /** Claims, and must get a yes. */
    Tenure claims(String name, String holder, Duration duration) throws InterruptedException {
        return granted(engine.claim(name, holder, duration));
    }

    Tenure takesOver(String name, String holder, Duration duration) throws InterruptedException {
        return granted(engine.takeOver(name, holder, duration));
    }

    Tenure extendsTo(Tenure tenure, Duration duration) throws InterruptedException {
        return granted(engine.extend(tenure, duration));
    }

    Tenure expires(String name) throws InterruptedException {
        return granted(engine.expire(name));
    }

    Tenure releases(Tenure tenure) throws InterruptedException {
        return granted(engine.release(tenure));
    }

    /** Reads one lease. */
    LeaseState sees(String name) throws InterruptedException {
        return engine.refresh(List.of(name)).get(0);
    }

    /** Lists all leases, and finds one. */
    LeaseState lists(String name) throws InterruptedException {
        return engine.leases().stream().filter(state -> state.name().equals(name)).findFirst().orElseThrow();
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

    static Tenure granted(LeaseAnswer answer) {
        assertThat(answer).isInstanceOf(Granted.class);
        return answer.orElseThrow();
    }

    static Refusal refused(LeaseAnswer answer, Refusal.Reason reason) {
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
