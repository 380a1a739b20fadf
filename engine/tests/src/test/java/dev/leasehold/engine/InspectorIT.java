package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.FailPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an inspector, which is no engine, sees of {@code a} and its leases. */
class InspectorIT extends WithEngines {

    private static final Duration SESSION = ofSeconds(30);

    private final TestClock clock = TestClock.atZPlus(ofSeconds(100));
    private final Hooks hooks = new Hooks();
    private TestEngine a;
    private LeaseInspector inspector;

    @BeforeEach
    void startOne() {
        a = engines.start("a");
        inspector = inspector(Engines.NAMESPACE);
    }

    @AfterEach
    void end() {
        inspector.close();
        assertThat(hooks.commands("update")).as("what the inspector wrote").isEmpty();
    }

    private LeaseInspector inspector(String namespace) {
        return LeaseEngine.builder(engines.database().newClient(settings -> settings.addCommandListener(hooks)))
                .database(engines.database().name())
                .collection(Engines.COLLECTION)
                .namespace(namespace)
                .maximumDriftPpm(0)
                .runtime(new TestRuntime(clock))
                .buildInspector();
    }

    private WriterState.Known onlyWriter() {
        assertThat(inspector.writers()).hasSize(1);
        return (WriterState.Known) inspector.writers().get(0);
    }

    private Instant now() {
        return Instant.ofEpochSecond(0, clock.wallNanos());
    }

    @Test
    @DisplayName("Leases are shown with all that their documents hold, in the order of their names")
    void leasesAreShownWithAllThatTheirDocumentsHold() throws InterruptedException {
        Lease held = a.acquires(LeaseRequest.of("name")
                .holder("h")
                .comment("nightly")
                .payload("10.0.0.7")
                .gateStripes(2));
        a.engine().admin().pin("name", "ops");
        a.acquires("vacant").close();

        List<LeaseDetails> leases = inspector.leases();

        assertThat(leases).extracting(LeaseDetails::name).containsExactly("name", "vacant");
        LeaseDetails details = leases.get(0);
        LeaseState.Held state = (LeaseState.Held) details.state();
        assertThat(state.tenure()).isEqualTo(held.tenure());
        assertThat(state.pins()).containsExactly("ops");
        assertThat(state.comment()).isEqualTo("nightly");
        assertThat(state.payload()).isEqualTo("10.0.0.7");
        assertThat(details.writer()).isEqualTo(a.writer());
        assertThat(details.since()).isEqualTo(state.since());
        assertThat(details.stripes()).isEqualTo(2);
        assertThat(details.partition()).isEqualTo(Engines.NAMESPACE);
        assertThat(inspector.inspect("name").state()).isEqualTo(state);
        assertThat(leases.get(1).state()).isInstanceOf(LeaseState.Vacant.class);
        assertThat(leases.get(1).since()).isNotNull();
        assertThat(inspector.inspect("absent").state()).isEqualTo(new LeaseState.Absent("absent"));
    }

    @Test
    void gatesAreCounted() throws InterruptedException {
        Lease lease = a.acquires("name");
        a.commitsUnder(lease.assertion());
        a.commitsUnder(lease.assertion());

        assertThat(inspector.inspect("name").gates()).isEqualTo(2);
    }

    @Test
    @DisplayName("The end of a lease is counted from the inspector's own reads, on its own clock")
    void theEndIsCountedFromTheInspectorsOwnReads() throws InterruptedException {
        a.acquires("name");

        assertThat(((LeaseState.Held) inspector.inspect("name").state()).latestExpiry())
                .isEqualTo(now().plus(SESSION));
        Instant firstRead = now();
        clock.advance(ofSeconds(31));
        LeaseState.Held later = (LeaseState.Held) inspector.inspect("name").state();

        assertThat(later.latestExpiry()).isEqualTo(firstRead.plus(SESSION));
        assertThat(later.status()).isEqualTo(LeaseStatus.EXPIRED);
    }

    @Test
    @DisplayName("An engine is seen to live when its stamp moves between two reads, whatever its clock shows")
    void anEngineIsSeenToLive() throws InterruptedException {
        a.acquires("name");
        WriterState.Known first = onlyWriter();
        assertThat(first.instance()).isEqualTo("a");
        assertThat(first.seenMoving()).isFalse();
        assertThat(first.session()).isEqualTo(SESSION);
        assertThat(first.firstSeen()).isEqualTo(now());
        assertThat(first.latestEnd()).isEqualTo(now().plus(SESSION));
        assertThat(first.behindAtMost()).isBetween(ofSeconds(99), ofSeconds(100));
        assertThat(first.isClosed()).isFalse();
        assertThat(first.driftPpm()).isZero();

        clock.advance(ofSeconds(4));
        WriterState.Known still = onlyWriter();
        assertThat(still.seenMoving()).isFalse();
        assertThat(still.firstSeen()).isEqualTo(first.firstSeen());
        assertThat(still.behindAtMost()).isEqualTo(first.behindAtMost());

        a.clock().advance(ofSeconds(10));
        a.heartbeats();
        WriterState.Known moved = onlyWriter();
        assertThat(moved.seenMoving()).isTrue();
        assertThat(moved.firstSeen()).isEqualTo(now());
        assertThat(moved.latestEnd()).isEqualTo(now().plus(SESSION));
        assertThat(moved.behindAtMost()).isBetween(ofSeconds(93), ofSeconds(94));

        clock.advance(ofSeconds(1));
        assertThat(onlyWriter().seenMoving()).as("it was seen to move before").isTrue();
    }

    @Test
    void anEngineThatWasClosedIsShownAsSuch() throws InterruptedException {
        a.claims("name", "h", ofSeconds(60));
        assertThat(onlyWriter().session()).isNull();
        assertThat(onlyWriter().latestEnd()).isNull();

        a.close();

        assertThat(onlyWriter().isClosed()).isTrue();
    }

    @Test
    void aCorruptEntryIsShown() throws InterruptedException {
        a.acquires("name");
        engines.expectCorruptDocuments();
        engines.documents()
                .updateOne(
                        Filters.eq("_id", Engines.NAMESPACE),
                        Updates.set("writers.broken#1", new BsonDocument("time", new BsonString("noon"))));

        assertThat(inspector.writers())
                .filteredOn(WriterState.Corrupt.class::isInstance)
                .singleElement()
                .satisfies(writer -> assertThat(writer.instance()).isEqualTo("broken"))
                .satisfies(writer ->
                        assertThat(((WriterState.Corrupt) writer).field()).isEqualTo("time"));
    }

    @Test
    void theClockDocumentIsShown() throws InterruptedException {
        ClockState before = inspector.clocks().get(0);
        a.acquires("name");

        ClockState after = inspector.clocks().get(0);

        assertThat(after.ticks()).isGreaterThan(before.ticks());
        assertThat(after.sizeBytes()).isGreaterThan(before.sizeBytes());
        assertThat(before.writers()).isZero();
        assertThat(after.writers()).isEqualTo(1);
        assertThat(after.partition()).isEqualTo(Engines.NAMESPACE);
    }

    @Test
    @DisplayName("The number of partitions is found out, and each lease in its own")
    void partitionsAreFoundOut() throws InterruptedException {
        engines.removeNamespace();
        TestEngine divided = engines.start("divided", 4);
        for (String name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
            divided.acquires(name);
        }
        inspector.close();
        inspector = inspector(Engines.NAMESPACE);

        assertThat(inspector.partitions()).isEqualTo(4);
        assertThat(inspector.leases())
                .extracting(LeaseDetails::name)
                .containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
        assertThat(inspector.clocks()).hasSize(4);
        assertThat(inspector.writers()).extracting(WriterState::instance).containsOnly("divided");
        for (LeaseDetails lease : inspector.leases()) {
            assertThat(inspector.inspect(lease.name())).isEqualTo(lease);
        }
    }

    @Test
    void aNamespaceThatDoesNotExistIsSaidToBeMissing() {
        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> inspector("nowhere"))
                .satisfies(missing -> assertThat(missing.field()).isEqualTo("_id"))
                .withMessageContaining("'nowhere'")
                .withMessageContaining("is missing");
        assertThat(engines.documents().find(Filters.eq("_id", "nowhere")).first())
                .isNull();
    }

    @Test
    void anImpossibleNumberOfPartitionsIsRefused() {
        engines.expectCorruptDocuments();
        engines.documents()
                .updateOne(Filters.eq("_id", Engines.NAMESPACE), Updates.set("partitions", new BsonInt32(65)));

        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> inspector(Engines.NAMESPACE))
                .satisfies(corrupt -> assertThat(corrupt.field()).isEqualTo("partitions"))
                .withMessageContaining("2 to 64");
    }

    @Test
    void aClosedInspectorRefuses() {
        inspector.close();

        assertThatThrownBy(() -> inspector.leases())
                .isInstanceOf(LeaseEngineClosedException.class)
                .hasMessageContaining("inspector of namespace 'billing' is closed");
        assertThatThrownBy(() -> inspector.inspect(""))
                .as("bad arguments come first")
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("Tenures, pins and engines are told as they come and go; renewals and assertions are not")
    void eventsAreTold() throws InterruptedException {
        try (LeaseEvents events = inspector.events()) {
            assertThat(events.await()).isEmpty();
            Lease first = a.acquires(LeaseRequest.of("name").holder("h").comment("nightly"));
            assertThat(next(events, 2)).containsExactly("CAME", "ACQUIRED h/1 nightly []");
            a.commitsUnder(first.assertion());
            a.clock().advance(ofSeconds(10));
            a.heartbeats();
            LeaseAdmin admin = a.engine().admin();
            admin.pin("name", "ops");
            assertThat(next(events, 1)).containsExactly("PINS_CHANGED -/null nightly [ops]");
            admin.pin("name", "backup");
            next(events, 1);
            admin.unpin("name", "ops");
            assertThat(next(events, 1)).containsExactly("PINS_CHANGED -/null nightly [backup]");
            admin.unpin("name", "backup");
            assertThat(next(events, 1)).containsExactly("PINS_CHANGED -/null nightly []");
            first.close();
            assertThat(next(events, 1)).containsExactly("ENDED -/1 null []");
            Lease second = a.acquires(LeaseRequest.of("name").holder("h").term(ofSeconds(60)));
            assertThat(next(events, 1)).containsExactly("ACQUIRED h/2 null []");
            admin.forceExpire("name", "it hangs");
            assertThat(next(events, 1)).containsExactly("FORCE_EXPIRED -/3 it hangs []");
            second.close();
            a.close();
            assertThat(next(events, 1)).containsExactly("GONE");
        }
    }

    @Test
    @DisplayName(
            "A forced expiry of a lease that is kept free is told as one, and a next tenure of the same holder is not")
    void aForcedExpiryOfALeaseThatIsKeptFreeIsTold() throws InterruptedException {
        try (LeaseEvents events = inspector.events()) {
            events.await();
            a.acquires(LeaseRequest.of("name").holder("h").atLeast(ofSeconds(60)))
                    .close();
            a.engine().admin().forceExpire("name", "needed now");
            assertThat(until(events, "FORCE_EXPIRED -/2 needed now []"))
                    .contains("FORCE_EXPIRED -/2 needed now []")
                    .doesNotContain("ACQUIRED -/2 needed now []");
            a.acquires(LeaseRequest.of("name").holder("h"));
            TestEngine b = engines.start("b");
            b.acquires(LeaseRequest.of("name").holder("h").supersede(true));
            assertThat(until(events, "ACQUIRED h/4 null []")).doesNotContain("FORCE_EXPIRED -/4 null []");
        }
    }

    @Test
    @DisplayName("What happened before the first call is not told by a later one")
    void whatWasThereBeforeIsNotTold() throws InterruptedException {
        a.acquires(LeaseRequest.of("before").holder("h"));
        try (LeaseEvents events = inspector.events()) {
            events.await();
            a.acquires(LeaseRequest.of("name").holder("h")).close();

            assertThat(until(events, "ENDED -/1 null []")).containsExactly("ACQUIRED h/1 null []", "ENDED -/1 null []");
        }
    }

    @Test
    @DisplayName("An event that was told is not told once more after a call that has failed")
    void toldEventIsNotToldAgain() throws InterruptedException {
        int changeStreamHistoryLost = 286;
        try (LeaseEvents events = inspector.events()) {
            events.await();
            a.acquires(LeaseRequest.of("first").holder("h"));
            until(events, "ACQUIRED h/1 null []");
            engines.fail(FailPoint.failCommands("getMore")
                    .withErrorCode(changeStreamHistoryLost)
                    .times(1));

            assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(events::await);
            assertThat(events.await()).as("the call that begins to watch").isEmpty();
            a.acquires(LeaseRequest.of("second").holder("h")).close();

            assertThat(until(events, "ENDED -/1 null []")).containsExactly("ACQUIRED h/1 null []", "ENDED -/1 null []");
        }
    }

    @Test
    @DisplayName("What was written since an event is not told as a part of it")
    void whatCameLaterIsNoPartOfAnEvent() throws InterruptedException {
        a.acquires(LeaseRequest.of("name").holder("h")).close();
        try (LeaseEvents events = inspector.events()) {
            events.await();
            a.acquires(LeaseRequest.of("name").holder("h").comment("first")).close();
            a.acquires(LeaseRequest.of("name").holder("h").comment("second"));

            assertThat(until(events, "ACQUIRED h/3 second []"))
                    .endsWith("ACQUIRED h/2 null []", "ENDED -/null null []", "ACQUIRED h/3 second []");
        }
    }

    @Test
    @DisplayName("A session that begins later, an engine that is closed, and a removal are told too")
    void lessUsualEventsAreTold() throws InterruptedException {
        a.claims("name", "h", ofSeconds(60));
        a.claims("old", "h", ofSeconds(60));
        try (LeaseEvents events = inspector.events()) {
            events.await();
            a.acquires("other").close();
            a.releases(((LeaseState.Held) a.sees("old")).tenure());
            a.clock().advance(ofSeconds(3_700));
            a.engine().housekeeping();
            a.takesOver("name", "h2", ofSeconds(60));

            assertThat(until(events, "ACQUIRED h2/2 null []"))
                    .contains("SESSION_BEGAN", "REMOVED -/null null []")
                    .anySatisfy(event -> assertThat(event).startsWith("ENDED -"));
        }
    }

    private static List<String> next(LeaseEvents events, int least) {
        List<String> told = new ArrayList<>();
        Awaitility.await().until(() -> {
            events.await().forEach(event -> told.add(inShort(event)));
            return told.size() >= least;
        });
        return told;
    }

    private static List<String> until(LeaseEvents events, String last) {
        List<String> told = new ArrayList<>();
        Awaitility.await().until(() -> {
            events.await().forEach(event -> told.add(inShort(event)));
            return told.contains(last);
        });
        return told;
    }

    private static String inShort(LeaseEvent event) {
        assertThat(event.partition()).isEqualTo(Engines.NAMESPACE);
        if (event instanceof LeaseEvent.OfWriter writer) {
            return writer.change().name();
        }
        LeaseEvent.OfLease lease = (LeaseEvent.OfLease) event;
        return lease.change() + " " + (lease.holder() == null ? "-" : lease.holder()) + "/" + lease.token() + " "
                + lease.comment() + " " + lease.pins();
    }
}
