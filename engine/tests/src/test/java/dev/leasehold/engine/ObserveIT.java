package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Observing a lease in an engine that does nothing else. */
class ObserveIT extends WithEngines {

    private TestEngine a;
    private TestEngine b;
    private TestEngine observer;
    private final List<LeaseState> told = new CopyOnWriteArrayList<>();

    @BeforeEach
    void startAll() {
        a = engines.start("a");
        b = engines.start("b");
        observer = engines.start("observer");
    }

    private LeaseObservation observes() {
        return observer.engine().observe("name", told::add);
    }

    /** Until the last told state is like that, while the clock of the observing engine runs. */
    private void untilTold(Consumer<LeaseState> expected) {
        await().pollInterval(Duration.ofMillis(5)).untilAsserted(() -> {
            observer.clock().advance(Duration.ofMillis(10));
            assertThat(told).isNotEmpty();
            expected.accept(told.get(told.size() - 1));
        });
    }

    private static Consumer<LeaseState> heldBy(Lease lease, String comment) {
        return state -> {
            assertThat(state).isInstanceOf(LeaseState.Held.class);
            assertThat(((LeaseState.Held) state).tenure()).isEqualTo(lease.tenure());
            assertThat(((LeaseState.Held) state).comment()).isEqualTo(comment);
        };
    }

    @Test
    @DisplayName("OB-1: told of holder 1, then of holder 2, without an entry of its own in any document")
    void toldOfOneHolderAndOfTheNext() throws Exception {
        Lease first = a.acquires(LeaseRequest.of("name").comment("10.0.0.1"));
        List<BsonDocument> before = engines.documents().find().into(new ArrayList<>());
        observes();
        untilTold(heldBy(first, "10.0.0.1"));
        assertThat(engines.documents().find().into(new ArrayList<>()))
                .as("the documents of an idle namespace that is observed")
                .isEqualTo(before);

        first.close();
        Lease second = b.acquires(LeaseRequest.of("name").comment("10.0.0.2"));
        untilTold(heldBy(second, "10.0.0.2"));
        second.close();
        untilTold(state -> assertThat(state).isInstanceOf(LeaseState.Vacant.class));

        assertThat(told).as("no state twice").doesNotHaveDuplicates();
        assertThat(engines.writers()).noneMatch(writer -> writer.startsWith("observer"));
        assertThat(engines.documents().find())
                .noneMatch(document -> document.toString().contains("observer"));
    }

    @Test
    @DisplayName("Q-33: a hand-over to a waiter is told, and what observes has neither a ticket nor an entry")
    void toldOfAHandOver() throws Exception {
        Lease first = a.acquires("name");
        observes();
        untilTold(heldBy(first, null));
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");
        await().until(() -> engines.documents().find(Filters.size("waiters", 1)).first() != null);
        a.sees("name");

        first.close();

        Lease second = waiting.get(1, TimeUnit.MINUTES).orElseThrow();
        assertThat(second.token()).isEqualTo(2);
        untilTold(heldBy(second, null));
        assertThat(told).as("never vacant").hasSize(2);
        assertThat(engines.documents().find())
                .noneMatch(document -> document.toString().contains("observer"));
    }

    @Test
    @DisplayName("OB-4: hand-overs are told in their order, and the last one always")
    void handOversAreToldInTheirOrder() throws Exception {
        observes();
        Lease last = null;
        for (int round = 0; round < 30; round++) {
            if (last != null) {
                last.close();
            }
            last = (round % 2 == 0 ? a : b).acquires("name");
        }
        Lease lasting = last;
        untilTold(state -> assertThat(state)
                .isInstanceOfSatisfying(
                        LeaseState.Held.class, held -> assertThat(held.tenure()).isEqualTo(lasting.tenure())));
        assertThat(told.stream().map(ObserveIT::order).toList()).isSorted().doesNotHaveDuplicates();
    }

    /** Rises with what becomes of a lease. */
    private static long order(LeaseState state) {
        if (state instanceof LeaseState.Held held) {
            return 2 * held.tenure().token();
        }
        return state instanceof LeaseState.Vacant vacant ? 2 * vacant.token() + 1 : 0;
    }

    @Test
    @DisplayName("a process may observe what it holds itself")
    void itsOwnLeaseIsToldAsWell() throws Exception {
        observes();
        Lease own = observer.acquires("name");
        untilTold(heldBy(own, null));
    }

    @Test
    @DisplayName("a lease whose document is corrupt is told, and again when it is repaired")
    void aCorruptLeaseIsTold() throws Exception {
        engines.expectCorruptDocuments();
        Lease lease = a.acquires("name");
        observes();
        untilTold(heldBy(lease, null));
        engines.documents()
                .updateOne(
                        new BsonDocument("_id", new BsonString("billing#name")),
                        BsonDocument.parse("{$set: {since: 1}}"));
        untilTold(state -> assertThat(state).isInstanceOf(LeaseState.Corrupt.class));
        engines.documents()
                .updateOne(
                        new BsonDocument("_id", new BsonString("billing#name")),
                        BsonDocument.parse("{$currentDate: {since: true}}"));
        untilTold(heldBy(lease, null));
    }
}
