package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Hooks.Point;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a holder publishes with its lease: how it is set, changed, shown, and how it ends. */
class PayloadIT extends WithEngines {

    private static final LeaseRequest SESSION = LeaseRequest.of("name").holder("h");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));

    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    private @Nullable String storedPayload() {
        BsonValue value = stored().get("payload");
        return value == null ? null : value.asString().getValue();
    }

    private static @Nullable String payload(LeaseState state) {
        assertThat(state).isInstanceOf(LeaseState.Held.class);
        return ((LeaseState.Held) state).payload();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "PL-1: the payload of the request is stored with the tenure, read by others, and changed while the lease"
                    + " is held")
    void itIsSetAndChanged(boolean term) throws InterruptedException {
        Lease lease = a.acquires((term ? TERM : SESSION).payload("10.0.0.7:8080"));
        assertThat(storedPayload()).isEqualTo("10.0.0.7:8080");
        assertThat(payload(b.sees("name"))).isEqualTo("10.0.0.7:8080");
        BsonDocument before = stored();
        Duration remaining = lease.remaining();

        a.clock().advance(ofSeconds(1));
        lease.updatePayload("{\n\t\"address\": \"10.0.0.8\"\n}\u0000");

        assertThat(payload(b.sees("name"))).isEqualTo("{\n\t\"address\": \"10.0.0.8\"\n}\u0000");
        assertThat(b.sees("name").describe()).doesNotContain("address");
        for (String field : List.of("holder", "token", "writer", "gates", "since")) {
            assertThat(stored().get(field)).as(field).isEqualTo(before.get(field));
        }
        assertThat(stored().get("expiry")).as("the term is no longer for it").isEqualTo(before.get("expiry"));
        assertThat(lease.remaining()).as("nor is the validity").isLessThanOrEqualTo(remaining.minusSeconds(1));
        lease.updatePayload("");
        assertThat(stored()).doesNotContainKey("payload");
        assertThat(payload(b.sees("name"))).isNull();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("PL-2: an extension keeps it")
    void anExtensionKeepsIt() throws InterruptedException {
        Lease lease = a.acquires(TERM.payload("first"));
        lease.updatePayload("second");
        a.engine().tenures().extend(lease.tenure(), ofSeconds(90)).orElseThrow();
        assertThat(storedPayload()).isEqualTo("second");
        b.engine().tenures().extend(lease.tenure(), ofSeconds(120)).orElseThrow();
        assertThat(storedPayload()).as("through another engine too").isEqualTo("second");

        lease.updatePayload("third");
        assertThat(storedPayload()).isEqualTo("third");
        assertThat(Engines.writer(stored())).startsWith("a#");
        assertThat(b.engine().tenures().extend(lease.tenure(), ofSeconds(130)).orElseThrow())
                .isEqualTo(lease.tenure());
    }

    @Test
    @DisplayName(
            "PL-3: it ends with the tenure: released, ended by force, taken over or superseded, the next holder begins"
                    + " with its own")
    void itEndsWithTheTenure() throws InterruptedException {
        Lease first = a.acquires(SESSION.payload("first"));
        first.close();
        assertThat(stored()).doesNotContainKey("payload");
        assertThat(b.sees("name")).isInstanceOf(LeaseState.Vacant.class);

        Lease second = a.acquires(SESSION.payload("second"));
        b.engine().admin().forceExpire("name", "a test");
        assertThat(stored()).doesNotContainKey("payload");
        second.close();

        a.engine().tenures().claim("name", "h", ofSeconds(60), null).orElseThrow();
        assertThat(stored()).doesNotContainKey("payload");
        engines.documents().updateOne(Filters.eq("_id", "billing#name"), Updates.set("payload", "of the dead"));
        b.sees("name");
        b.clock().advance(ofSeconds(61));
        b.acquires(SESSION.holder("h2"));
        assertThat(stored()).as("taken over").doesNotContainKey("payload");

        a.acquires(SESSION.holder("h2").supersede(true).payload("of the next"));
        assertThat(storedPayload()).isEqualTo("of the next");
    }

    @Test
    @DisplayName("PL-4: 4,096 bytes are stored, and one more is refused before anything is sent, with the rule")
    void itsLengthIsLimited() throws InterruptedException {
        String longest = "ä".repeat(2_048);
        Lease lease = a.acquires(SESSION.payload(longest));
        assertThat(storedPayload()).isEqualTo(longest);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> lease.updatePayload(longest + "a"))
                .withMessageContaining("payload 'ääää")
                .withMessageEndingWith(
                        "is refused: it must be at most 4096 bytes in UTF-8, without unpaired surrogates");
        assertThatIllegalArgumentException().isThrownBy(() -> lease.updatePayload("\ud800"));
        assertThatIllegalArgumentException().isThrownBy(() -> lease.updatePayload(null));
        assertThatIllegalArgumentException().isThrownBy(() -> SESSION.payload(longest + "a"));
        assertThat(storedPayload()).isEqualTo(longest);
    }

    @Test
    @DisplayName("PL-5: a former holder changes nothing, and is told of its loss")
    void aFormerHolderChangesNothing() throws InterruptedException {
        Lease lost = a.acquires(TERM.payload("old"));
        List<LeaseLoss.Reason> reasons = new CopyOnWriteArrayList<>();
        lost.onLost(loss -> reasons.add(loss.reason()));
        b.sees("name");
        b.clock().advance(ofSeconds(61));
        b.acquires(SESSION.holder("h2").payload("new"));

        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> lost.updatePayload("late"));

        assertThat(storedPayload()).isEqualTo("new");
        await().until(() -> !reasons.isEmpty());
        assertThat(lost.isHeld()).isFalse();
        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> lost.updatePayload("again"));
    }

    @Test
    @DisplayName("PL-5: a holder that loses the lease between the read and the write changes nothing")
    void theWriteIsGuarded() throws InterruptedException {
        Lease lost = a.acquires(SESSION.payload("old"));
        a.hooks().once(Point.BEFORE_LEASE_WRITE, () -> {
            b.engine().admin().forceExpire("name", "a test");
            b.acquires(SESSION.holder("h2").payload("new"));
        });

        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> lost.updatePayload("late"));

        assertThat(storedPayload()).isEqualTo("new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "null", "['a']", "{address: 'a'}", "''"})
    @DisplayName(
            "PL-6: a value that no engine writes counts as none: the lease is read, renewed, released and acquired")
    void aDamagedValueCountsAsNone(String value) throws InterruptedException {
        for (LeaseRequest request : List.of(SESSION, TERM)) {
            Lease lease = a.acquires(request.payload("sound"));
            damage(BsonDocument.parse("{payload: " + value + "}").get("payload"));
            assertThat(payload(b.sees("name"))).isNull();
            if (request == TERM) {
                a.engine().tenures().extend(lease.tenure(), ofSeconds(90)).orElseThrow();
                assertThat(storedPayload()).as("what the engine knows").isEqualTo("sound");
                damage(BsonDocument.parse("{payload: " + value + "}").get("payload"));
            }
            lease.updatePayload("repaired");
            assertThat(storedPayload()).isEqualTo("repaired");
            damage(new BsonString("a".repeat(5_000)));
            assertThat(payload(b.sees("name"))).isNull();
            lease.close();
            assertThat(stored()).doesNotContainKey("payload");
            b.acquires(request).close();
        }
    }

    private void damage(BsonValue value) {
        engines.documents().updateOne(Filters.eq("_id", "billing#name"), Updates.set("payload", value));
    }

    @Test
    @DisplayName(
            "PL-7: a change waits for an open transaction that asserts the lease, as a renewal does, and both land")
    void itWaitsForAGatedTransaction() throws Exception {
        engines.reports().insertOne(new BsonDocument());
        Lease lease = a.acquires(SESSION.payload("old"));
        try (ClientSession session = a.client().startSession()) {
            session.startTransaction();
            lease.assertion().check(session);
            a.reports().insertOne(session, new BsonDocument());
            CompletableFuture<Void> update = CompletableFuture.runAsync(() -> {
                try {
                    lease.updatePayload("new");
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            engines.untilAnUpdateIsUnderWay();
            assertThat(storedPayload()).isEqualTo("old");
            session.commitTransaction();
            update.get(60, TimeUnit.SECONDS);
        }
        assertThat(storedPayload()).isEqualTo("new");
        assertThat(stored().getInt64("gates").getValue()).isEqualTo(1);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("PL-8: a change is told to observers by the change stream, and wakes no waiter")
    void aChangeIsToldToObservers() throws Exception {
        Lease lease = a.acquires(SESSION.payload("one"));
        List<@Nullable String> told = new CopyOnWriteArrayList<>();
        b.engine().observe("name", state -> told.add(payload(state)));
        await().until(() -> told.contains("one"));
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");
        // The clock of the observing engine stands still, so that only the stream can tell.
        lease.updatePayload("two");
        await().until(() -> told.contains("two"));
        lease.updatePayload("");
        await().until(() -> told.contains(null));

        assertThat(told.subList(told.size() - 2, told.size())).isEqualTo(Arrays.asList("two", null));
        assertThat(waiting).isNotDone();
        lease.close();
        waiting.get(60, TimeUnit.SECONDS).orElseThrow().close();
    }

    @Test
    @DisplayName("a leader publishes its address, and a further handle leaves it as it is")
    void aLeaderPublishesItsAddress() throws Exception {
        try (LeaderElection election =
                a.engine().elect(SESSION.payload("10.0.0.7")).start()) {
            await().until(election::isLeader);
            assertThat(payload(b.sees("name"))).isEqualTo("10.0.0.7");
            election.lease().orElseThrow().updatePayload("10.0.0.8");
            assertThat(payload(b.sees("name"))).isEqualTo("10.0.0.8");
            try (Lease further = a.acquires(SESSION.payload("another"))) {
                assertThat(further.isHeld()).isTrue();
                assertThat(payload(b.sees("name"))).isEqualTo("10.0.0.8");
            }
        }
    }
}
