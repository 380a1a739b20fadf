package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Processes whose sessions keep leases, on the system's clock: they die, are stopped, close their engines or hand a lease on,
 * and another process waits. A wait is never asserted to be short: where it must not take the session, the session is so long
 * that no process would live to see its end.
 */
@WithReplicaSet
@Execution(ExecutionMode.CONCURRENT)
class SessionProcessesIT {

    private static final Duration SHORT = Duration.ofSeconds(6);
    private static final Duration ENDLESS = Duration.ofHours(1);

    /** A lease as a process tells that it has got it. */
    private record Got(String name, long token, long atNanos) {

        static Got parse(String text) {
            String[] part = text.split(":");
            return new Got(part[0], Long.parseLong(part[1]), Long.parseLong(part[2]));
        }

        static List<Got> all(String answer) {
            return Stream.of(answer.split(" ")).map(Got::parse).toList();
        }
    }

    /** How a process ends that closes nothing. */
    private enum Death {
        KILLED {
            @Override
            void befalls(ChildProcess process) throws InterruptedException {
                process.kill();
            }
        },
        EXITED {
            @Override
            void befalls(ChildProcess process) throws InterruptedException {
                process.order("exit");
                process.awaitExit();
            }
        };

        abstract void befalls(ChildProcess process) throws InterruptedException;
    }

    private final List<ChildProcess> processes = new ArrayList<>();
    private TestDatabase database;
    private Engines stored;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        Engines.beginTokensAtOne(database, 1);
        stored = new Engines(database);
    }

    @AfterEach
    void end() throws InterruptedException {
        for (ChildProcess process : processes) {
            process.end();
        }
        stored.close();
    }

    private ChildProcess start(String instance, Duration session) throws IOException, InterruptedException {
        return start(database.uri(), instance, session);
    }

    private ChildProcess start(String uri, String instance, Duration session) throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.startSession(database, uri, instance, session);
        processes.add(process);
        return process;
    }

    private String writerOf(String lease) {
        return Engines.writer(stored.leaseDocument(lease));
    }

    private List<String> writers() {
        return List.copyOf(stored.writers());
    }

    /** The newest acknowledgement of a writer, as the monotonic clock would have shown it. */
    private long acknowledgedNanos(String writer) {
        // In this order: what passes between the two makes the answer earlier, and never later.
        long monotonicNanos = System.nanoTime();
        Instant now = Instant.now();
        long aheadNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - monotonicNanos;
        return stored.entry(writer).getInt64("time").getValue() - aheadNanos;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "SE-7, HA-25: what a dead process held is free after its session and not before, all of it by one eviction")
    void leasesOfADeadProcessAreFreeAfterItsSession(Death death) throws IOException, InterruptedException {
        ChildProcess victim = start("victim", SHORT);
        ChildProcess heir = start("heir", ENDLESS);
        victim.does("acquire a b c d");
        String writer = writerOf("a");
        List<BsonDocument> untouched = List.of(stored.leaseDocument("c"), stored.leaseDocument("d"));
        heir.order("acquire a b");

        death.befalls(victim);
        long lastSignNanos = acknowledgedNanos(writer);
        List<Got> got = Got.all(heir.answer());

        assertThat(got).extracting(Got::token).containsExactly(2L, 2L);
        assertThat(got).allMatch(each -> each.atNanos() - lastSignNanos >= SHORT.toNanos());
        assertThat(writers()).doesNotContain(writer);
        assertThat(List.of(stored.leaseDocument("c"), stored.leaseDocument("d")))
                .isEqualTo(untouched);
        assertThat(Got.parse(heir.does("try c")).token()).isEqualTo(2);
        assertThat(Got.parse(heir.does("try d")).token()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "SE-11, SE-13, SE-20: a process that was stopped past its session has lost its leases, is told so, and commits nothing")
    void aProcessThatWasStoppedHasLostItsLeases() throws IOException, InterruptedException {
        ChildProcess sleeper = start("sleeper", SHORT);
        ChildProcess heir = start("heir", ENDLESS);
        sleeper.does("acquire name");
        String writer = writerOf("name");
        sleeper.does("begin");

        sleeper.pause();
        Got got = Got.parse(heir.does("acquire name"));
        sleeper.resume();

        assertThat(sleeper.does("isHeld name")).isEqualTo("false");
        assertThat(sleeper.does("loss name")).isIn("EXPIRED", "NOT_RENEWED");
        assertThat(sleeper.does("commit name")).isIn("not held", "conflict");
        assertThat(sleeper.does("gated name")).isEqualTo("not held");
        assertThat(database.database().getCollection("reports").countDocuments())
                .isZero();
        assertThat(Long.parseLong(sleeper.does("lastHeld name"))).isLessThan(got.atNanos());
        assertThat(sleeper.does("losses name")).isIn("[EXPIRED]", "[NOT_RENEWED]");
        assertThat(heir.does("isHeld name")).isEqualTo("true");
        assertThat(heir.does("gated name")).isEqualTo("committed");

        assertThat(Got.parse(sleeper.does("try other")).token()).isEqualTo(1);
        assertThat(writers()).contains(writerOf("other")).doesNotContain(writer);
    }

    @Test
    @DisplayName(
            "SE-20: a process that was stopped past its session knows that it has lost its leases before it reaches any server")
    void aProcessThatWasStoppedNeedsNoServerToKnowOfItsLoss() throws IOException, InterruptedException {
        try (ClientNetwork network = ClientNetwork.open()) {
            ChildProcess sleeper = start(network.uri(database.uri()), "sleeper", SHORT);
            ChildProcess heir = start("heir", ENDLESS);
            sleeper.does("acquire name");

            sleeper.pause();
            network.cut(ClientNetwork.Cut.SILENT);
            heir.does("acquire name");
            sleeper.resume();

            assertThat(sleeper.does("isHeld name")).isEqualTo("false");
            assertThat(sleeper.does("loss name")).isIn("EXPIRED", "NOT_RENEWED");
            network.mend();
            assertThat(sleeper.does("gated name")).isEqualTo("not held");
            assertThat(sleeper.does("losses name")).isIn("[EXPIRED]", "[NOT_RENEWED]");
            endBefore(sleeper);
        }
    }

    private void endBefore(ChildProcess process) throws InterruptedException {
        processes.remove(process);
        process.end();
    }

    @Test
    @DisplayName("SE-14: an engine that is closed hands all its leases to those that wait in another process")
    void aClosedEngineHandsAllItsLeasesOn() throws IOException, InterruptedException {
        ChildProcess first = start("first", ENDLESS);
        ChildProcess second = start("second", ENDLESS);
        first.does("acquire a b c");
        String writer = writerOf("a");
        second.order("acquire a b c");

        endBefore(first);

        assertThat(Got.all(second.answer())).extracting(Got::token).containsExactly(2L, 2L, 2L);
        assertThat(writers()).doesNotContain(writer);
    }

    @Test
    @DisplayName("HA-24: a lease that is closed goes to what waits in another process, to and fro")
    void aClosedLeaseGoesToTheWaiterInAnotherProcess() throws IOException, InterruptedException {
        ChildProcess holder = start("one", ENDLESS);
        ChildProcess waiter = start("other", ENDLESS);
        holder.does("acquire name");

        for (long token = 2; token <= 6; token++) {
            waiter.order("acquire name");
            long closedNanos = Long.parseLong(holder.does("close name"));
            Got got = Got.parse(waiter.answer());

            assertThat(got.token()).isEqualTo(token);
            assertThat(got.atNanos()).isGreaterThan(closedNanos);
            ChildProcess former = holder;
            holder = waiter;
            waiter = former;
        }
    }
}
