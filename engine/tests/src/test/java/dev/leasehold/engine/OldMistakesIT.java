package dev.leasehold.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes that others made with leases, tried on sessions and handles. Sessions last 30 s, drift is 0. */
class OldMistakesIT extends WithEngines {

    private static final Duration PAST_A_SESSION = ofSeconds(30).plusNanos(1);

    private static Acquisition asks(TestEngine engine, String name) throws InterruptedException {
        return engine.engine().tryAcquire(LeaseRequest.of(name).holder("h"));
    }

    private static Lease acquires(TestEngine engine, String name) throws InterruptedException {
        return asks(engine, name).orElseThrow();
    }

    /** The holder's clock stands still meanwhile, as if its process did. */
    private static Lease takesFromASilentEngine(TestEngine engine, String name) throws InterruptedException {
        engine.sees(name);
        engine.clock().advance(PAST_A_SESSION);
        return engine.engine().tryAcquire(LeaseRequest.of(name).holder("h2")).orElseThrow();
    }

    @Test
    @DisplayName("Never again 3, SE-11: an engine that was evicted comes back as another writer")
    void evictedEngineIsAnotherWriter() throws InterruptedException {
        TestEngine a = engines.start("a");
        acquires(a, "name");
        String former = Engines.writer(stored());
        takesFromASilentEngine(engines.start("b"), "name");

        acquires(a, "other");

        assertThat(Engines.writer(engines.leaseDocument("other"))).isNotEqualTo(former);
        assertThat(engines.writers()).doesNotContain(former);
    }

    @Test
    @DisplayName(
            "Never again 4: the same holder's next tenure is another one, also where an eviction has ended the first")
    void tenureBeforeAnEvictionIsNotTheNextOne() throws InterruptedException {
        TestEngine a = engines.start("a");
        Lease before = acquires(a, "name");
        takesFromASilentEngine(engines.start("b"), "name").close();
        a.sees("name");

        Lease after = acquires(a, "name");

        assertThat(after.holder()).isEqualTo(before.holder());
        assertThat(after.token()).isEqualTo(before.token() + 2);
        try (ClientSession session = a.client().startSession()) {
            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> before.inTransaction(session, each -> "done"));
            String done = after.inTransaction(session, each -> "done");
            assertThat(done).isEqualTo("done");
        }
    }

    @Test
    @DisplayName("Never again 5: an acquisition is never refused from memory")
    void acquisitionIsNeverRefusedFromMemory() throws InterruptedException {
        TestEngine b = engines.start("b");
        try (Lease held = acquires(engines.start("a"), "name")) {
            assertThat(b.engine().tryAcquire(LeaseRequest.of("name")).asOptional())
                    .isEmpty();
            assertThat(held.isHeld()).isTrue();
        }

        assertThat(b.engine().tryAcquire(LeaseRequest.of("name")).asOptional()).isPresent();
    }

    @ParameterizedTest
    @DisplayName(
            "Never again 9, SE-2: no time of day says whether a session is over, only how long its entry was seen unchanged")
    @ValueSource(longs = {-5, 0, 5})
    void sessionIsJudgedByNoTimeOfDay(long hoursAhead) throws InterruptedException {
        acquires(engines.start("a"), "name");
        TestEngine b = engines.start("b", TestClock.atZPlus(ofHours(hoursAhead)));
        assertThat(asks(b, "name").asOptional()).as("at the first read").isEmpty();

        b.clock().advance(PAST_A_SESSION.minusNanos(1));
        assertThat(asks(b, "name").asOptional()).as("at the bound itself").isEmpty();

        b.clock().advance(1);
        assertThat(asks(b, "name").asOptional()).isPresent();
    }
}
