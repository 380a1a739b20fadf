package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The wait queue of a lease: its tickets, and what reads and changes show of them. */
abstract class QueueContract extends StoreContract {

    QueueContract(ContractDeployment deployment) {
        super(deployment);
    }

    private static Waiter ticket(String writer, long stampNanos, int priority) {
        return new Waiter(writer, stampNanos, "h", priority, null, 0, null);
    }

    private static WriteOutcome enqueue(ContractWriter by, Waiter ticket) {
        return by.store().writeLeases("a", List.of(new LeaseWrite.Enqueue("x", ticket)));
    }

    private StoredQueue queue(LeaseStore store) {
        return Objects.requireNonNull(store.read(Set.of("x"), "absent").queues().get("x"));
    }

    private List<Long> stamps(LeaseStore store) {
        return queue(store).waiters().stream().map(Waiter::stampNanos).toList();
    }

    @Test
    void ticketsStandInTheOrderOfTheirArrival() {
        ContractWriter a = writerWithSession("a");
        Waiter full = new Waiter("a", 7, "worker", Integer.MIN_VALUE, "run 1", 64, "10.0.0.7:8080");

        assertThat(queue(a.store())).isEqualTo(StoredQueue.empty("x"));
        assertThat(enqueue(a, ticket("a", 5, 0))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(enqueue(a, full)).isEqualTo(WriteOutcome.APPLIED);

        assertThat(queue(a.store()).waiters()).containsExactly(ticket("a", 5, 0), full);
    }

    @Test
    void aTicketThatIsSentTwiceStandsTwiceAndIsWithdrawnAtOnce() {
        ContractWriter a = writerWithSession("a");
        enqueue(a, ticket("a", 5, 0));
        enqueue(a, ticket("b", 5, 0));
        enqueue(a, ticket("a", 5, 0));
        enqueue(a, ticket("a", 6, 0));

        assertThat(a.store().writeLeases("a", List.of(new LeaseWrite.Withdraw("x", "a", Set.of(5L, 9L)))))
                .isEqualTo(WriteOutcome.APPLIED);

        assertThat(queue(a.store()).waiters()).containsExactly(ticket("b", 5, 0), ticket("a", 6, 0));
    }

    @Test
    @DisplayName("Q-25: behind the 128th a ticket is dropped without an error")
    void whatDoesNotFitIsDropped() {
        ContractWriter a = writerWithSession("a");
        LongStream.rangeClosed(1, StoredQueue.TICKETS_MAX + 1).forEach(stamp -> enqueue(a, ticket("a", stamp, 0)));

        assertThat(stamps(a.store()))
                .isEqualTo(LongStream.rangeClosed(1, StoredQueue.TICKETS_MAX)
                        .boxed()
                        .toList());
        assertThat(queue(a.store()).isFull()).isTrue();
    }

    @Test
    void aReleaseTakesTicketsOutInTheSameCommandAlsoIfItsGuardMisses() {
        for (boolean misses : List.of(false, true)) {
            String lease = "x";
            ContractWriter a = writerWithSession("a" + misses);
            if (!isThere(lease)) {
                a.commits(a.insert(lease));
            }
            enqueue(a, ticket("a", 5, 0));
            LeaseWrite.Replace release = misses ? a.stale(lease) : a.vacate(lease);
            LeaseWrite.Replace withdrawing = new LeaseWrite.Replace(
                    release.guard(), release.document(), false, 0, new LeaseWrite.Withdraw(lease, "a", Set.of(5L)));

            assertThat(a.store().writeLeases("a", List.of(withdrawing)))
                    .isEqualTo(misses ? WriteOutcome.MISSED : WriteOutcome.APPLIED);

            assertThat(stamps(a.store())).isEmpty();
        }
    }

    @Test
    void queuesAreWrittenInATransactionToo() {
        ContractWriter a = writerWithSession("a");
        a.commits(a.insert("x"));
        LeaseWrite.Replace release = a.vacate("x");
        enqueue(a, ticket("a", 5, 0));

        a.commits(new LeaseWrite.Enqueue("y", ticket("a", 6, 0)));
        a.commits(new LeaseWrite.Replace(
                release.guard(), release.document(), false, 0, new LeaseWrite.Withdraw("x", "a", Set.of(5L))));

        assertThat(stamps(a.store())).isEmpty();
        assertThat(lease("x")).matches(LeaseDocument::isVacant);
    }

    @Test
    @DisplayName("Q-26: a corrupt queue takes no ticket, and stops no write of its lease or of another queue")
    void aCorruptQueueStopsNothing() {
        ContractWriter a = writerWithSession("a");
        a.commits(a.insert("x"));
        enqueue(a, ticket("a", 5, 0));
        deployment.corruptQueue("x");
        LeaseWrite.Replace release = a.vacate("x");

        assertThat(a.store()
                        .writeLeases(
                                "a",
                                List.of(
                                        new LeaseWrite.Enqueue("w", ticket("a", 6, 0)),
                                        new LeaseWrite.Replace(
                                                release.guard(),
                                                release.document(),
                                                false,
                                                0,
                                                new LeaseWrite.Withdraw("x", "a", Set.of(5L))),
                                        new LeaseWrite.Enqueue("y", ticket("a", 7, 0)))))
                .isEqualTo(WriteOutcome.APPLIED);
        assertThat(enqueue(a, ticket("a", 8, 0))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(lease("x")).matches(LeaseDocument::isVacant);
        assertThat(queue(a.store()).corrupt()).isNotNull();
        Snapshot others = a.store().read(Set.of("w", "y"), "absent");
        assertThat(others.queues().values()).allMatch(queue -> queue.waiters().size() == 1);
    }

    @Test
    void theEntriesOfTheFirstWaitersAreRead() {
        List<String> names = IntStream.range(0, 6).mapToObj(i -> "w" + i).toList();
        List<ContractWriter> writers =
                names.stream().map(this::writerWithSession).toList();
        for (int i = 0; i < names.size(); i++) {
            enqueue(writers.get(0), ticket(names.get(i), 5, i == 5 ? 1 : 0));
        }

        assertThat(writers.get(0).store().read(Set.of("x"), "absent").clock().writers())
                .containsOnlyKeys("w5", "w0", "w1", "w2");
    }

    @Test
    void aTicketIsToldAndAWithdrawalIsNot() {
        ContractWriter a = writerWithSession("a");
        LeaseChanges changes = a.store().changes();
        changes.await();

        enqueue(a, ticket("a", 5, 0));
        a.store().writeLeases("a", List.of(new LeaseWrite.Withdraw("x", "a", Set.of(5L))));
        enqueue(a, ticket("a", 6, 0));

        assertThat(told(changes)).containsExactly(new LeaseChange.Queued("x"), new LeaseChange.Queued("x"));
        changes.close();
    }

    @Test
    @DisplayName("Q-31: names with the marks of ids are read and told as the lease or the queue that they name")
    void namesWithMarks() {
        ContractWriter a = writerWithSession("a");
        List<String> names = List.of("b&c", "b#c", "b!1#c", "&", "#&");
        names.forEach(name -> a.commits(a.insert(name)));
        LeaseChanges changes = a.store().changes();
        changes.await();

        List<LeaseChange> expected = new ArrayList<>();
        for (String name : names) {
            a.store().writeLeases("a", List.of(new LeaseWrite.Enqueue(name, ticket("a", 5, 0))));
            a.commits(a.vacate(name));
            expected.add(new LeaseChange.Queued(name));
            expected.add(new LeaseChange.Freed(name, null));
        }

        Snapshot read = a.store().read(Set.copyOf(names), "absent");
        assertThat(read.leases()).allMatch(lease -> names.contains(lease.name()));
        assertThat(read.queues().values()).allMatch(queue -> queue.waiters().size() == 1);
        assertThat(told(changes)).containsExactlyElementsOf(expected);
        changes.close();
    }

    private List<LeaseChange> told(LeaseChanges changes) {
        List<LeaseChange> told = new ArrayList<>();
        @Nullable List<LeaseChange> more = changes.await();
        while (!more.isEmpty()) {
            more.forEach(change -> told.add(
                    change instanceof LeaseChange.Freed freed ? new LeaseChange.Freed(freed.name(), null) : change));
            more = changes.await();
        }
        return told;
    }

    @Test
    @DisplayName("Q-30: tickets of absent writers are taken out, and empty queues are removed")
    void queuesAreTidied() {
        ContractWriter a = writerWithSession("a");
        enqueue(a, ticket("gone", 4, 0));
        enqueue(a, ticket("a", 5, 0));
        a.store().writeLeases("a", List.of(new LeaseWrite.Enqueue("y", ticket("gone", 6, 0))));

        assertThat(a.store().tidyQueues(null, 10)).isEqualTo(new LeaseStore.Removal(1, null));
        assertThat(stamps(a.store())).containsExactly(5L);

        assertThat(a.store().tidyQueues(null, 10).removed()).isZero();
        a.store().writeLeases("a", List.of(new LeaseWrite.DropAbsent("x", Set.of("a"))));
        assertThat(a.store().tidyQueues(null, 10).removed()).isOne();
    }
}
