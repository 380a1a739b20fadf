package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.ReadConcern;
import com.mongodb.ReadConcernLevel;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work whose effect is committed once per occurrence, and the records of it. */
class RunOnceIT extends WithEngines {

    private static final String NIGHT = "2073-03-03";

    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
        engines.reports().insertOne(report("before"));
    }

    private static BsonDocument report(String by) {
        return new BsonDocument("by", new BsonString(by));
    }

    private RunOnceResult<String> reports(TestEngine by, String occurrence) throws InterruptedException {
        return by.engine().runOnce("nightly", occurrence, (lease, session) -> {
            write(by, session, lease.holder());
            return lease.holder();
        });
    }

    private void write(TestEngine by, ClientSession session, String text) {
        by.reports().insertOne(session, report(text));
    }

    private long written() {
        return engines.reports().countDocuments() - 1;
    }

    @Test
    @DisplayName("the first engine runs and commits, the second one is told which holder did it, and writes nothing")
    void theFirstRunsAndTheSecondIsTold() throws InterruptedException {
        RunOnceResult<String> first = reports(a, NIGHT);
        long ticks = engines.ticks();
        RunOnceResult<String> second = reports(b, NIGHT);

        assertThat(first.ran()).isTrue();
        assertThat(second).isInstanceOfSatisfying(RunOnceResult.DoneBefore.class, done -> {
            assertThat(done.record().tenure().holder()).isEqualTo(((RunOnceResult.Ran<String>) first).value());
            assertThat(done.record().occurrence()).isEqualTo(NIGHT);
        });
        assertThat(written()).isEqualTo(1);
        assertThat(engines.ticks()).as("not even the lease was acquired").isEqualTo(ticks);
        assertThat(reports(b, "2073-03-04").ran()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "available", "majority", "linearizable", "snapshot"})
    void theReadConcernOfTheClientDoesNotMatter(String level) throws InterruptedException {
        TestEngine c = engines.startWith(
                "c", settings -> settings.readConcern(new ReadConcern(ReadConcernLevel.fromString(level))));

        assertThat(reports(c, NIGHT).ran()).isTrue();

        assertThat(c.engine().findOccurrence("nightly", NIGHT)).isPresent();
        assertThat(written()).isEqualTo(1);
    }

    @Test
    @DisplayName("while another process holds the lease the task is skipped, with the refusal")
    void whileAnotherHoldsTheLeaseItIsSkipped() throws InterruptedException {
        try (Lease held = a.acquires("nightly")) {
            assertThat(reports(b, NIGHT))
                    .isInstanceOfSatisfying(
                            RunOnceResult.Skipped.class,
                            skipped -> assertThat(skipped.refusal().reason()).isEqualTo(Refusal.Reason.HELD));
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(written()).isZero();
    }

    @Test
    @DisplayName(
            "a task that fails has no effect, and the occurrence can be done again; what it throws is thrown as it is")
    void aTaskThatFailsHasNoEffect() throws Exception {
        IOException failure = new IOException("no paper");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> a.engine().runOnce("nightly", NIGHT, (lease, session) -> {
                    write(a, session, "a");
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(written()).isZero();
        assertThat(reports(b, NIGHT).ran()).isTrue();
    }

    @Test
    @DisplayName(
            "a task that aborts its transaction and returns did not run, and one that commits it did; neither is told that it ran")
    void aTaskThatEndsItsTransactionIsNotToldThatItRan() throws InterruptedException {
        Consumer<ClientSession> startAnother = session -> {
            session.abortTransaction();
            session.startTransaction();
            write(a, session, "another");
        };
        for (Consumer<ClientSession> end : List.<Consumer<ClientSession>>of(
                ClientSession::abortTransaction, startAnother, ClientSession::commitTransaction)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> a.engine().runOnce("nightly", NIGHT, (lease, session) -> {
                        write(a, session, "a");
                        end.accept(session);
                        return lease.token();
                    }))
                    .withMessageContaining("has ended the transaction of occurrence '" + NIGHT + "'");
        }

        assertThat(written()).isEqualTo(1);
        assertThat(reports(b, NIGHT)).isInstanceOf(RunOnceResult.DoneBefore.class);
    }

    @Test
    @DisplayName(
            "a process that goes on as the holder, after another one did the occurrence, is told in its own transaction")
    void twoThatBothActAsHolderCommitOne() throws InterruptedException {
        Tenure over = a.claims("nightly", "h", Duration.ofSeconds(60));
        a.engine().tenures().release(over);
        assertThat(reports(b, NIGHT).ran()).isTrue();

        try (ClientSession session = a.client().startSession()) {
            boolean first = session.withTransaction(() ->
                    a.engine().tenures().assertion(over).once(session, NIGHT).isFirst());
            assertThat(first).isFalse();
            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> session.withTransaction(
                            () -> a.engine().tenures().assertion(over).once(session, "2073-03-04")));
        }
        assertThat(written()).isEqualTo(1);
    }

    @Test
    @DisplayName("work outside a transaction is recorded at its end, in a short one")
    void workOutsideATransactionIsRecordedAtItsEnd() throws InterruptedException {
        a.engine().runWhileHeld("nightly", lease -> {
            try (ClientSession session = a.client().startSession()) {
                return lease.inTransaction(session, s -> lease.once(s, NIGHT).isFirst());
            }
        });

        assertThat(reports(b, NIGHT)).isInstanceOf(RunOnceResult.DoneBefore.class);
    }

    @Test
    @DisplayName(
            "with partitions and gate stripes records lie beside their leases, and names that could be mistaken for"
                    + " one another are told apart")
    void recordsLieBesideTheirLeases() throws InterruptedException {
        TestEngine c = engines.start("many", "c", 4);
        List<String> names = List.of("a", "a#b", "a!1#b", "a%1#b", "Ω", "🔒");
        for (String name : names) {
            LeaseRequest request = LeaseRequest.of(name).gateStripes(2);
            for (String occurrence : List.of("b", "b#c", "1")) {
                assertThat(c.engine()
                                .runOnce(request, occurrence, (lease, session) -> name)
                                .ran())
                        .as("%s %s", name, occurrence)
                        .isTrue();
            }
        }

        for (String name : names) {
            assertThat(c.engine().admin().occurrences(name, 10))
                    .extracting(OccurrenceRecord::occurrence)
                    .containsExactly("b#c", "b", "1");
            assertThat(c.engine().admin().occurrences(name, 10))
                    .allSatisfy(record -> assertThat(record.tenure().name()).isEqualTo(name));
        }
        assertThat(c.engine().leases()).extracting(LeaseState::name).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    @DisplayName(
            "the last records of a lease are listed, by engines and by inspectors, and one that an operator removes"
                    + " can be done again")
    void recordsAreListedAndRemoved() throws InterruptedException {
        for (int day = 1; day <= 5; day++) {
            reports(a, "2073-03-0" + day);
        }

        assertThat(b.engine().admin().occurrences("nightly", 2))
                .extracting(OccurrenceRecord::occurrence)
                .containsExactly("2073-03-05", "2073-03-04");
        assertThat(b.engine().admin().occurrences("another", 2)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> b.engine().admin().occurrences("nightly", 0))
                .withMessage("limit 0 is refused: it must be 1 to 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> b.engine().admin().forgetOccurrence("nightly", NIGHT, " "));

        assertThat(b.engine().admin().forgetOccurrence("nightly", "2073-03-05", "printed on the wrong paper"))
                .hasValueSatisfying(record -> assertThat(record.occurrence()).isEqualTo("2073-03-05"));
        assertThat(b.engine().admin().forgetOccurrence("nightly", "2073-03-05", "again"))
                .isEmpty();
        assertThat(reports(b, "2073-03-05").ran()).isTrue();
        assertThat(written()).isEqualTo(6);
    }

    @Test
    @DisplayName(
            "housekeeping removes records that are older than 90 days by the server's clock, over several pages, and"
                    + " no other")
    void housekeepingRemovesOldRecords() throws InterruptedException {
        reports(a, "new");
        reports(a, "almost");
        reports(a, "old");
        age("almost", Duration.ofDays(90).minusMinutes(5));
        age("old", Duration.ofDays(90).plusMinutes(5));
        BsonDocument old =
                engines.documents().find(Filters.eq("_id", id("old"))).first();
        engines.documents()
                .insertMany(IntStream.range(0, 2_500)
                        .mapToObj(each -> old.clone()
                                .append("_id", new BsonString(id("old" + each)))
                                .append("occurrence", new BsonString("old" + each)))
                        .toList());

        Housekeeping done = b.engine().housekeeping();

        assertThat(done.occurrencesRemoved()).isEqualTo(2_501);
        assertThat(a.engine().admin().occurrences("nightly", 10))
                .extracting(OccurrenceRecord::occurrence)
                .containsExactly("new", "almost");
        assertThat(reports(b, "old").ran()).as("it counts as not done").isTrue();
    }

    private void age(String occurrence, Duration age) {
        engines.documents()
                .updateOne(
                        Filters.eq("_id", id(occurrence)),
                        Updates.set("done", Date.from(Instant.now().minus(age))));
    }

    private static String id(String occurrence) {
        return LeaseIds.occurrenceId(Engines.NAMESPACE, "nightly", occurrence);
    }

    @Test
    @DisplayName("the look comes before the lease: what was done is told without a wait and without a write, also while"
            + " another process holds the lease")
    void theLookComesBeforeTheLease() throws InterruptedException {
        reports(a, NIGHT);
        try (Lease held = a.acquires("nightly")) {
            b.hooks().forgetCommands();
            RunOnceResult<Boolean> result = b.engine()
                    .runOnce(
                            LeaseRequest.of("nightly").waitAtMost(Duration.ofHours(1)),
                            NIGHT,
                            (lease, session) -> true);

            assertThat(result).isInstanceOf(RunOnceResult.DoneBefore.class);
            assertThat(b.hooks().commands("update")).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName(
            "what another process does between the look and the lease is told in the transaction, and the task does"
                    + " not run")
    void whatIsDoneAfterTheLookIsTold() throws InterruptedException {
        TestEngine c = engines.lookingByTheirClocks().start("c");
        c.hooks()
                .once(
                        Point.AFTER_READ,
                        () -> assertThat(reports(a, NIGHT).ran()).isTrue());
        c.hooks().forgetCommands();

        RunOnceResult<String> result = reports(c, NIGHT);

        assertThat(result)
                .isInstanceOfSatisfying(
                        RunOnceResult.DoneBefore.class,
                        done -> assertThat(done.record().tenure().holder()).startsWith("a#"));
        assertThat(c.hooks().commands("update")).as("it had the lease").isNotEmpty();
        assertThat(written()).isEqualTo(1);
    }

    @Test
    @DisplayName("bad arguments are refused before anything is sent")
    void badArgumentsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.engine().runOnce("nightly", "", (lease, session) -> 1))
                .withMessageStartingWith("occurrence '' is refused");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.engine().runOnce("nightly", NIGHT, null))
                .withMessage("task null is refused: it must say what to do once per occurrence");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.engine().runOnce((LeaseRequest) null, NIGHT, (lease, session) -> 1));
    }
}
