package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the simulated database tells what judges. */
class SimulatedHistoryTest {

    private static final long SLOW_NANOS = 300 * StoreWorld.MILLISECOND;
    private static final DatabaseConditions SLOW = new DatabaseConditions(
            SLOW_NANOS, 0, DatabaseConditions.PLAIN.lifetimeNanos(), DatabaseConditions.PLAIN.sweepNanos(), true);

    @Test
    void aTransactionIsOneVersionWithTheClockFirstAndThenTheLeases() {
        StoreWorld stage = new StoreWorld();
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            long version = stage.database().version();

            a.commits(a.insert("x"));

            Event.Committed commit = stage.lastCommit();
            assertThat(commit.version())
                    .isEqualTo(version + 1)
                    .isEqualTo(stage.database().version());
            assertThat(commit.author()).isEqualTo(new Author(Author.Kind.TRANSACTION, 0, 0, -1, null, null));
            assertThat(commit.changes()).hasSize(2).first().isInstanceOfSatisfying(Change.OfClock.class, clock -> {
                assertThat(clock.after().ticks()).isEqualTo(clock.before().ticks() + 1);
                assertThat(clock.before().writers().get("a").transactionNanos()).isNull();
                assertThat(clock.after().writers().get("a").transactionNanos()).isEqualTo(a.stampNanos());
            });
            assertThat(stage.lastChangeOfLease().before()).isNull();
            assertThat(stage.lastChangeOfLease().after())
                    .isEqualTo(stage.database().lease("x"))
                    .satisfies(row -> assertThat(row.writtenNanos()).isEqualTo(a.stampNanos()));
        });
    }

    @Test
    void everySingleWriteIsAVersionOfItsOwn() {
        StoreWorld stage = new StoreWorld();
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"), a.insert("y"));
            long version = stage.database().version();

            a.store().writeLeases("a", List.of(a.take("x", "h2"), a.take("y", "h2")));

            assertThat(stage.database().version()).isEqualTo(version + 2);
            assertThat(stage.lastCommit().author().kind()).isEqualTo(Author.Kind.SINGLE_WRITE);
        });
    }

    @Test
    void anEngineThatIsStartedAgainIsAnotherIncarnation() {
        StoreWorld stage = new StoreWorld();
        stage.play(() -> {
            SimulatedProcess first = stage.newProgram();
            SimulatedProcess second = first.simulatedMachine().startProcess();
            stage.join(stage.beside(second, () -> stage.writer(second, "a")));

            assertThat(stage.lastCommit().author().machine()).isEqualTo(1);
            assertThat(stage.lastCommit().author().incarnation()).isEqualTo(1);
        });
    }

    @Test
    void aMajorityHasAWriteWhenItWasReplicatedAndOnlyThenItIsAcknowledged() {
        StoreWorld stage = new StoreWorld(SLOW);
        stage.play(() -> {
            ContractWriter a = stage.writer("a");

            a.commits(a.insert("x"));

            Event.Committed commit = stage.lastCommit();
            List<Event.Majority> majorities = stage.events(Event.Majority.class);
            assertThat(majorities.get(majorities.size() - 1))
                    .isEqualTo(new Event.Majority(commit.atNanos() + SLOW_NANOS, commit.version()));
            assertThat(stage.simulation().nowNanos()).isEqualTo(commit.atNanos() + SLOW_NANOS + StoreWorld.MILLISECOND);
        });
    }

    @Test
    void aWriteThatIsTakenBackIsNoneAnyMoreAndItsNumberComesAgain() {
        StoreWorld stage = new StoreWorld(SLOW);
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"));
            long version = stage.database().version();
            var take = a.take("x", "h2");
            stage.simulation().after(100 * StoreWorld.MILLISECOND, () -> {
                assertThat(stage.database().version()).isEqualTo(version + 1);
                stage.database().failOver(StoreWorld.SECOND, true);
            });

            assertThat(a.commit(take).verdict()).isEqualTo(Verdict.UNKNOWN);

            assertThat(stage.events(Event.RolledBack.class))
                    .extracting(Event.RolledBack::toVersion)
                    .containsExactly(version);
            assertThat(stage.hasReached(Marks.ROLLED_BACK)).isTrue();
            assertThat(stage.database().lease("x").token()).isEqualTo(1);
            assertThat(a.store().commitAgain().verdict()).as("never").isEqualTo(Verdict.UNAVAILABLE);
            a.commits(take);
            assertThat(stage.lastCommit().version()).isEqualTo(version + 1);
        });
    }

    @Test
    void anotherPrimaryHasEverythingWhereNothingIsLost() {
        StoreWorld stage = new StoreWorld(SLOW);
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"));
            var take = a.take("x", "h2");
            stage.simulation()
                    .after(100 * StoreWorld.MILLISECOND, () -> stage.database().failOver(StoreWorld.SECOND, false));

            assertThat(a.commit(take).verdict()).isEqualTo(Verdict.UNKNOWN);

            assertThat(a.store().commitAgain().verdict()).isEqualTo(Verdict.APPLIED);
            assertThat(stage.events(Event.RolledBack.class)).isEmpty();
        });
    }

    @Test
    void whatPeopleDoByHandIsToldAsTheirs() {
        StoreWorld stage = new StoreWorld();
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"));

            stage.database().damage(DamageKind.CORRUPT_LEASE, "x");

            assertThat(stage.lastCommit().author().kind()).isEqualTo(Author.Kind.HAND);
            assertThat(stage.lastChangeOfLease().after().sound()).isFalse();

            stage.database().damage(DamageKind.REMOVE_LEASE, "x");

            assertThat(stage.lastChangeOfLease().after()).isNull();
        });
    }

    @Test
    void theSameStoryMakesTheSameHistory() {
        assertThat(eventsOfABusyStory()).isEqualTo(eventsOfABusyStory());
    }

    private static List<Event> eventsOfABusyStory() {
        StoreWorld stage = new StoreWorld(new DatabaseConditions(
                StoreWorld.MILLISECOND, 5 * StoreWorld.MILLISECOND, SLOW_NANOS, SLOW_NANOS, true));
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"), a.insert("y"));
            stage.database().storm(5, 20 * StoreWorld.MILLISECOND);
            stage.database().stray("x");
            SimulatedProcess other = stage.newProgram();
            CompletableFuture<Void> part = stage.beside(other, () -> {
                ContractWriter b = stage.writer(other, "b");
                for (int i = 0; i < 10; i++) {
                    b.commit(b.extend("y"));
                }
            });
            for (int i = 0; i < 10; i++) {
                a.commit(a.extend("x"));
                a.write(a.heartbeat());
            }
            stage.join(part);
        });
        return stage.simulation().events();
    }
}
