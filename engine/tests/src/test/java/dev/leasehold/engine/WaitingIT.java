package dev.leasehold.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting for a lease that {@code a} holds, and what it leaves behind. */
class WaitingIT extends WithEngines {

    private static final LeaseRequest SESSION = LeaseRequest.of("name").holder("h");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));
    private static final Duration LONG = ofHours(1);

    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    private static Lease get(Future<Acquisition> acquisition) throws Exception {
        return acquisition.get(1, TimeUnit.MINUTES).orElseThrow();
    }

    @Test
    @DisplayName("HA-24: what is woken by a release claims the lease without reading it first")
    void aReleaseTellsWhatIsToBeKnown() throws Exception {
        for (LeaseRequest request : List.of(SESSION, TERM)) {
            Lease lease = a.acquires(request);
            int waitsForChanges = b.hooks().waitsForChanges();
            CompletableFuture<Acquisition> waiting = b.waitsFor(request.holder("h2"), LONG);
            // What begins to listen polls once at what it may have missed.
            await().until(() -> b.hooks().waitsForChanges() > waitsForChanges);
            b.settles();
            b.hooks().forgetCommands();

            lease.close();
            get(waiting).close();

            // What it reads afterwards is what else waits.
            assertThat(b.hooks().commands().get(0).getFirstKey()).isEqualTo("update");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEFORE_UPDATE", "BEFORE_COMMIT", "AFTER_COMMIT"})
    @DisplayName("HA-26: interrupted while it is being granted: no lease is left behind")
    void interruptedWhileItIsBeingGranted(Point point) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        b.hooks().once(point, () -> {
            thread.get().interrupt();
            await().until(() -> b.engine().health().waiters() == 0);
        });
        Caller caller = new Caller(b);
        thread.complete(caller.thread);

        assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
        await().untilAsserted(() -> assertThat(engines.shortForm("name")).isIn("none", "-/1"));
        b.settles();
        assertThat(engines.shortForm("name")).isIn("none", "-/1");
        assertThat(b.engine().health().heldLeases()).isZero();
    }

    /** A thread that waits for the lease. */
    private static final class Caller {

        private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
        private final Thread thread;

        Caller(TestEngine engine) {
            thread = new Thread(() -> {
                try {
                    engine.engine().acquire(LeaseRequest.of("name").waitAtMost(LONG));
                    failure.complete(null);
                } catch (Throwable e) {
                    failure.complete(e);
                }
            });
            thread.start();
        }

        Throwable failure() throws Exception {
            return failure.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    @DisplayName(
            "HA-29: of many leases that are due one is corrupt and one was extended: the others are acquired, and the"
                    + " engine goes on")
    void oneThatIsDueDoesNotStopTheOthers() throws Exception {
        List<String> due = List.of("due 1", "corrupt", "due 2", "extended", "due 3");
        Map<String, Tenure> held = new HashMap<>();
        Map<String, CompletableFuture<Acquisition>> waiting = new HashMap<>();
        for (String name : due) {
            held.put(name, a.claims(name, "h", ofSeconds(60)));
            waiting.put(name, b.waitsFor(LeaseRequest.of(name).holder("h2"), LONG));
        }
        engines.expectCorruptDocuments();
        engines.documents().updateOne(Filters.eq("_id", Engines.NAMESPACE + "#corrupt"), Updates.unset("token"));
        a.extendsTo(held.get("extended"), ofHours(2));

        b.clock().advance(ofSeconds(60).plusNanos(1));

        for (String name : List.of("due 1", "due 2", "due 3")) {
            assertThat(get(waiting.get(name)).token()).as(name).isEqualTo(2);
        }
        assertThatThrownBy(() -> get(waiting.get("corrupt"))).hasCauseInstanceOf(CorruptDocumentException.class);
        b.settles();
        assertThat(waiting.get("extended")).isNotDone();
        a.releases(held.get("extended"));
        assertThat(get(waiting.get("extended")).token()).isEqualTo(2);
        assertThat(b.acquires("another").isHeld()).isTrue();
    }

    @Test
    @DisplayName("A call that is refused by bad arguments sends nothing")
    void badArgumentsAreRefused() {
        b.hooks().forgetCommands();
        LeaseEngine engine = b.engine();
        assertRefused("request null", () -> engine.tryAcquire((LeaseRequest) null));
        assertRefused("request null", () -> engine.acquire((LeaseRequest) null));
        assertRefused(
                "wait PT5S is refused for the election of 'name'",
                () -> engine.elect(SESSION.waitAtMost(ofSeconds(5))));
        assertRefused("task null", () -> engine.runWhileHeld(SESSION, (HeldTask<String, RuntimeException>) null));
        assertRefused("task null", () -> engine.runWhileHeld(SESSION, (Runnable) null));
        assertThat(b.hooks().commands()).isEmpty();
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message);
    }
}
