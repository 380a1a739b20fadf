package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.client.MongoClient;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings are checked all together when the engine is built, before the client is asked for anything. */
class BuilderValidationTest {

    private static final String LONG_LABEL = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    private final AtomicInteger calls = new AtomicInteger();
    private final MongoClient client = (MongoClient) Proxy.newProxyInstance(
            MongoClient.class.getClassLoader(), new Class<?>[] {MongoClient.class}, (proxy, method, arguments) -> {
                calls.incrementAndGet();
                throw new AssertionError("called: " + method);
            });

    @AfterEach
    void clientWasNotAsked() {
        assertThat(calls).hasValue(0);
    }

    @ParameterizedTest
    @DisplayName("VA-1: instance names that break the rule")
    @ValueSource(strings = {"$bad", "a#b", "a b", "", LONG_LABEL})
    void badInstanceIsRefused(String instance) {
        refused(sound().instance(instance), "instance '" + instance + "'", "must be 1 to 64 characters");
    }

    @ParameterizedTest
    @DisplayName("VA-2: namespaces that break the rule")
    @ValueSource(strings = {"$bad", "a#b", "a b", "a~1", "", LONG_LABEL})
    void badNamespaceIsRefused(String namespace) {
        refused(sound().namespace(namespace), "namespace '" + namespace + "'", "must be 1 to 64 characters");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 65, Integer.MAX_VALUE})
    void numberOfPartitionsOutsideItsRangeIsRefused(int count) {
        refused(sound().partitions(count), "partitions " + count, "must be 1 to 64");
    }

    @Test
    @DisplayName("VA-4: what is missing is named, a message each")
    void missingPartsAreNamed() {
        refused(LeaseEngine.builder(null).database("app").namespace("billing"), "client null", "MongoClient");
        refused(LeaseEngine.builder(client).namespace("billing"), "database null", "name the database");
        refused(sound().collection(null), "collection null", "name the collection");
        refused(LeaseEngine.builder(client).database("app"), "namespace null", "must be");
        refused(sound().operationBudget(null), "operation budget null", "must be");
        refused(sound().commandBudget(null), "command budget null", "must be");
        refused(sound().closeBudget(null), "close budget null", "must be");
        refused(sound().retention(null), "retention null", "must be");
        refused(sound().sessionLength(null), "session length null", "must be");
        refused(sound().heartbeatPeriod(null), "heartbeat period null", "must be");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a$b", "$cmd", "a\0b", "system.leases"})
    void impossibleCollectionIsRefused(String collection) {
        refused(sound().collection(collection), "database 'app'", "collection '" + collection + "' is refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a$b", "a.b", "a/b", "a b", "local", "config"})
    void impossibleDatabaseIsRefused(String database) {
        refused(sound().database(database), "database '" + database + "'", "refused");
    }

    @ParameterizedTest
    @DisplayName("SK-12: drift out of range")
    @ValueSource(longs = {-1, 1_000_000, Long.MAX_VALUE, Long.MIN_VALUE})
    void badDriftIsRefused(long ppm) {
        refused(sound().maximumDriftPpm(ppm), String.valueOf(ppm), "must be 0 to 999999 ppm");
    }

    @Test
    void budgetsOutOfRangeAreRefused() {
        refused(sound().operationBudget(Duration.ofMillis(99)), "operation budget PT0.099S", "PT0.1S to PT1H");
        refused(
                sound().operationBudget(Duration.ofHours(1).plusNanos(1)),
                "operation budget PT1H0.000000001S",
                "PT0.1S to PT1H");
        refused(sound().commandBudget(Duration.ZERO), "command budget PT0S", "PT0.1S to PT1H");
        refused(sound().closeBudget(Duration.ofSeconds(-1)), "close budget PT-1S", "PT0.1S to PT1H");
        refused(sound().retention(Duration.ZERO), "retention PT0S", "PT0.001S to PT876000H");
    }

    @Test
    void sessionsOutOfRangeAreRefused() {
        refused(sound().sessionLength(Duration.ofMillis(99)), "session length PT0.099S", "PT0.1S to PT24H");
        refused(
                sound().sessionLength(Duration.ofDays(1).plusNanos(1)),
                "session length PT24H0.000000001S",
                "PT0.1S to PT24H");
        refused(sound().heartbeatPeriod(Duration.ofMillis(9)), "heartbeat period PT0.009S", "PT0.01S to PT24H");
    }

    @ParameterizedTest
    @DisplayName("VA-14: a session is longer than one operation, or a lease could be lost while it is being written")
    @ValueSource(longs = {2_000_000_000, 1_999_999_999, 100_000_000})
    void sessionNotLongerThanTheOperationBudgetIsRefused(long sessionNanos) {
        Duration session = Duration.ofNanos(sessionNanos);
        refused(
                sound().operationBudget(Duration.ofSeconds(2))
                        .commandBudget(Duration.ofSeconds(1))
                        .sessionLength(session),
                "session length " + session,
                "longer than the operation budget, which is PT2S");
    }

    @ParameterizedTest
    @DisplayName("VA-14: more than two heartbeats fit into a session")
    @ValueSource(longs = {20_000_000_000L, 20_000_000_001L, 40_000_000_000L})
    void heartbeatPeriodNotBelowHalfOfTheSessionIsRefused(long periodNanos) {
        Duration period = Duration.ofNanos(periodNanos);
        refused(
                sound().sessionLength(Duration.ofSeconds(40)).heartbeatPeriod(period),
                "heartbeat period " + period,
                "below half of the session length, which is PT40S");
    }

    @Test
    @DisplayName("VA-14: a heartbeat period that is below half of a session by half a nanosecond is accepted")
    void heartbeatPeriodJustBelowHalfOfTheSessionIsAccepted() {
        LeaseEngineBuilder half = sound().sessionLength(Duration.ofSeconds(40).plusNanos(1))
                .heartbeatPeriod(Duration.ofSeconds(20))
                .operationBudget(Duration.ofSeconds(10))
                .commandBudget(Duration.ofSeconds(11));

        refused(half, "command budget PT11S", "at most the operation budget");
    }

    @Test
    @DisplayName("VA-14: a command may not take longer than the operation that it is part of")
    void commandBudgetAboveTheOperationBudgetIsRefused() {
        refused(
                sound().operationBudget(Duration.ofSeconds(2)).commandBudget(Duration.ofSeconds(3)),
                "command budget PT3S",
                "at most the operation budget, which is PT2S");
    }

    @Test
    void anExecutorThatRunsInPlaceIsRefused() {
        refused(sound().callbackExecutor(Runnable::run), "callback executor", "on the thread that hands them in");
    }

    /** One that cannot start a thread throws an error, and one that was not written in Java may throw anything. */
    @Test
    void anExecutorThatRejectsOrQueuesIsNotRefusedForThat() {
        Queue<Runnable> queue = new ArrayDeque<>();

        ExecutorProbe.refuseInPlace(task -> BuilderValidationTest.rejects(new RejectedExecutionException("full")));
        ExecutorProbe.refuseInPlace(task -> BuilderValidationTest.rejects(new Error("unable to create native thread")));
        ExecutorProbe.refuseInPlace(task -> BuilderValidationTest.rejects(new TimeoutException("full")));
        ExecutorProbe.refuseInPlace(queue::add);
        queue.remove().run();
    }

    /** The compiler takes {@code X} for unchecked where nothing else is said. */
    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void rejects(Throwable why) throws X {
        throw (X) why;
    }

    private LeaseEngineBuilder sound() {
        return LeaseEngine.builder(client).database("app").namespace("billing").instance("a");
    }

    private static void refused(LeaseEngineBuilder builder, String value, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining(value)
                .withMessageContaining(rule);
    }
}
