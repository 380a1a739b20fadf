package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChange.Freed;
import dev.leasehold.engine.internal.store.LeaseChange.WriterGone;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Several clock documents of one namespace. Twelve of them, since the ids of the second and of the eleventh begin alike. */
abstract class PartitionContract extends StoreContract {

    private static final int COUNT = 12;
    private static final Partition SECOND = partition(1);
    private static final Partition ELEVENTH = partition(10);
    private static final int AWAITS_MAX = 20;

    PartitionContract(ContractDeployment deployment) {
        super(deployment);
    }

    private static Partition partition(int index) {
        return new Partition(Fixture.NAMESPACE, index, COUNT);
    }

    private LeaseStore open(Partition partition) {
        LeaseStore store = deployment.connect(partition);
        store.open();
        return store;
    }

    private ContractWriter writer(Partition partition, String key) {
        ContractWriter writer = new ContractWriter(open(partition), partition.id(), key);
        return writer.writes(writer.registration(Fixture.MINUTE));
    }

    private static List<String> names(LeaseStore store) {
        return store.page(null, 100, "absent").snapshot().leases().stream()
                .map(StoredLease::name)
                .toList();
    }

    private void assertRefused(Partition partition) {
        LeaseStore store = deployment.connect(partition);

        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(store::open)
                .withMessageContaining("'" + partition.id() + "'")
                .returns("partitions", CorruptDocumentException::field);
    }

    @Test
    void aStoreForAnotherNumberOfPartitionsIsRefused() {
        LeaseStore first = open(partition(0));
        ClockDocument before = first.read(Set.of(), "absent").clock();

        assertRefused(Partition.whole(Fixture.NAMESPACE));
        assertRefused(new Partition(Fixture.NAMESPACE, 0, 2));

        assertThat(first.read(Set.of(), "absent").clock()).isEqualTo(before);
    }

    @Test
    void aStoreForSeveralPartitionsIsRefusedByAClockForOne() {
        open();

        assertRefused(partition(0));
        open(SECOND);
    }

    @Test
    void noWriterRegistersInAClockForAnotherNumberOfPartitions() {
        open(partition(0));
        LeaseStore whole = deployment.connect();

        assertThat(whole.writeClock(new ClockWrite.Register("a", Fixture.Z, whole.driverSession(), null)))
                .isEqualTo(WriteOutcome.MISSED);
        assertThat(open(partition(0)).survey().writers()).isEmpty();
    }

    @Test
    void partitionsShowNothingOfEachOther() {
        ContractWriter first = writer(partition(0), "a");
        ContractWriter second = writer(SECOND, "b");
        ContractWriter eleventh = writer(ELEVENTH, "c");
        first.commits(first.insert("x"));
        second.commits(second.insert("x"), second.insert("y"));
        eleventh.commits(eleventh.insert("z"));

        assertThat(names(first.store())).containsExactly("x");
        assertThat(names(second.store())).containsExactly("y", "x");
        assertThat(names(eleventh.store())).containsExactly("z");
        assertThat(first.store().read(Set.of("y"), "b").leases()).containsExactly(new StoredLease.Absent("y"));
        assertThat(first.store().read(Set.of(), "b").clock().writers()).isEmpty();
        assertThat(second.store().survey().writers()).hasSize(1);
    }

    @Test
    void theWatchOfOnePartitionTellsOfAll() {
        ContractWriter first = writer(partition(0), "a");
        ContractWriter eleventh = writer(ELEVENTH, "c");
        first.commits(first.insert("x"));
        eleventh.commits(eleventh.insert("z"), eleventh.insert("last"));
        try (LeaseChanges changes = first.store().changes()) {
            assertThat(changes.await()).isEmpty();

            first.commits(first.vacate("x"));
            eleventh.commits(eleventh.vacate("z"));
            writer(SECOND, "gone").writes(new ClockWrite.Leave("gone"));
            eleventh.commits(eleventh.remove("last"));

            assertThat(told(changes))
                    .containsExactly(
                            new Freed("x", null),
                            new Freed("z", null),
                            new WriterGone(SECOND.id(), "gone"),
                            new Freed("last", null));
        }
    }

    private static List<LeaseChange> told(LeaseChanges changes) {
        List<LeaseChange> told = new ArrayList<>();
        for (int awaits = 0; !told.contains(new Freed("last", null)) && awaits < AWAITS_MAX; awaits++) {
            changes.await().forEach(change -> told.add(withoutDocument(change)));
        }
        return told;
    }

    private static LeaseChange withoutDocument(LeaseChange change) {
        return change instanceof Freed freed ? new Freed(freed.name(), null) : change;
    }

    @Test
    void theClockOfEachPartitionTicksForItself() {
        ContractWriter first = writer(partition(0), "a");
        ContractWriter second = writer(SECOND, "b");
        ClockDocument before = first.store().read(Set.of(), "absent").clock();
        long floor = second.store().read(Set.of(), "absent").clock().tokenFloor();

        second.commits(second.insert("x"));

        assertThat(first.store().read(Set.of(), "absent").clock()).isEqualTo(before);
        assertThat(second.store().read(Set.of(), "absent").clock()).isEqualTo(new ClockDocument(2, floor, Map.of()));
    }
}
