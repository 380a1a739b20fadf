package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseStore.Page;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a store shows. */
abstract class ReadContract extends StoreContract {

    ReadContract(ContractDeployment deployment) {
        super(deployment);
    }

    private static List<String> names(Page page) {
        return page.snapshot().leases().stream().map(StoredLease::name).toList();
    }

    @Test
    void theFirstStoreThatOpensMakesTheClockDocument() {
        LeaseStore store = open();

        ClockDocument clock = store.read(Set.of(), "a").clock();
        assertThat(clock.ticks()).isZero();
        assertThat(clock.tokenFloor()).as("the time of the database").isNotNegative();
        assertThat(clock.writers()).isEmpty();
    }

    @Test
    void openingLeavesAClockDocumentAsItIs() {
        writer("a").commits();
        ClockDocument before = clock();

        assertThat(open().read(Set.of(), "absent").clock()).isEqualTo(before);
    }

    @Test
    void withoutAClockDocumentEveryReadSaysSo() {
        LeaseStore store = deployment.connect();

        assertThatExceptionOfType(CorruptDocumentException.class).isThrownBy(() -> store.read(Set.of("x"), "a"));
        assertThatExceptionOfType(CorruptDocumentException.class).isThrownBy(() -> store.page(null, 1, "a"));
        assertThatExceptionOfType(CorruptDocumentException.class).isThrownBy(store::survey);
    }

    @Test
    void everyLeaseThatIsAskedForIsAnsweredAbsentOnesToo() {
        ContractWriter a = writer("a").commits();
        var document = a.document("x", "h", 1);
        a.commits(a.insert("x"));

        assertThat(a.store().read(Set.of("x", "y"), "a").leases())
                .containsExactlyInAnyOrder(new StoredLease.Sound(document), new StoredLease.Absent("y"));
    }

    @Test
    void aReadBringsTheEntriesOfTheWritersOfItsLeasesAndOfOneMoreAndNoOthers() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("y"));
        ContractWriter b = writer("b");
        b.commits(b.take("y", "h2"));
        writer("c");
        writer("d");

        assertThat(b.store().read(Set.of("x"), "c").clock().writers()).containsOnlyKeys("a", "c");
        assertThat(b.store().read(Set.of("x", "y"), "c").clock().writers()).containsOnlyKeys("a", "b", "c");
        assertThat(b.store().read(Set.of(), "absent").clock().writers()).isEmpty();
    }

    @Test
    void aReadSeesAtLeastWhatIsAcknowledgedToAnyWriter() {
        ContractWriter a = writer("a");
        LeaseStore other = open();

        for (int run = 0; run < 20; run++) {
            a.commits(a.insert("x" + run));
            assertThat(other.read(Set.of("x" + run), "a").leases().get(0)).isInstanceOf(StoredLease.Sound.class);
        }
    }

    @Test
    void pagesGoFromTheHighestIdDownEachOnFromTheOneBefore() {
        ContractWriter a = writer("a");
        // Compared by their bytes: as Java compares texts, the rocket would come before the last one.
        String rocket = "\uD83D\uDE80";
        a.commits(a.insert("b"), a.insert("a"), a.insert(rocket), a.insert("B"), a.insert("\uFFFD"));

        List<String> found = new ArrayList<>();
        Page page = a.store().page(null, 2, "a");
        found.addAll(names(page));
        while (page.lastId() != null) {
            page = a.store().page(page.lastId(), 2, "a");
            found.addAll(names(page));
        }

        assertThat(found).containsExactly(rocket, "\uFFFD", "b", "a", "B");
    }

    @Test
    void aPageThatTakesTheLastLeaseIsTheLastOne() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("y"));

        assertThat(a.store().page(null, 1, "a").lastId()).isEqualTo("billing#y");
        assertThat(a.store().page(null, 2, "a").lastId()).isNull();
        assertThat(a.store().page("billing#x", 1, "a").snapshot().leases()).isEmpty();
    }

    @Test
    void aPageBringsTheEntriesOfTheWritersOfItsLeasesAndOfOneMore() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        writer("b");
        writer("c");

        assertThat(a.store().page(null, 9, "b").snapshot().clock().writers()).containsOnlyKeys("a", "b");
    }

    @Test
    void allWritersAreThereWithAllThatIsKnownOfThem() {
        ContractWriter a = writer("a").commits();
        ContractWriter b = writerWithSession("b");

        assertThat(open().survey().writers())
                .containsExactlyInAnyOrder(
                        new WriterEntry.Sound(
                                "a",
                                a.stampNanos(),
                                a.stampNanos(),
                                null,
                                a.store().driverSession()),
                        new WriterEntry.Sound(
                                "b", Fixture.Z, null, Fixture.MINUTE, b.store().driverSession()));
    }

    @Test
    void aSurveyShowsAllWritersAndASizeThatGrowsWithThem() {
        LeaseStore store = open();
        ClockSurvey empty = store.survey();
        writer("a");
        writer("b");

        ClockSurvey two = store.survey();

        assertThat(empty.writers()).isEmpty();
        assertThat(empty.sizeBytes()).isPositive();
        assertThat(two.writers()).extracting(WriterEntry::writer).containsExactlyInAnyOrder("a", "b");
        assertThat(two.sizeBytes()).isGreaterThan(empty.sizeBytes());
    }

    @Test
    void theStampsOfAllWritersComeWithTheWholeEntryOfOne() {
        ContractWriter a = writer("a").commits();
        writerWithSession("b");

        ClockStamps stamps = a.store().stamps("b");

        assertThat(stamps.stampsNanos()).containsOnly(Map.entry("a", a.stampNanos()), Map.entry("b", Fixture.Z));
        assertThat(stamps.clock().writers()).containsOnlyKeys("b");
        assertThat(stamps.clock().writers().get("b"))
                .isEqualTo(a.store().survey().clock().writers().get("b"));
        assertThat(stamps.clock().ticks()).isEqualTo(a.store().survey().clock().ticks());
    }

    @Test
    void withoutWritersThereAreNoStamps() {
        ClockStamps stamps = open().stamps("a");

        assertThat(stamps.stampsNanos()).isEmpty();
        assertThat(stamps.clock().writers()).isEmpty();
    }

    @Test
    void aCorruptLeaseSpoilsItselfAlone() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("y"));

        deployment.corrupt("x");

        assertThat(stored("x")).isInstanceOfSatisfying(StoredLease.Corrupt.class, corrupt -> {
            assertThat(corrupt.name()).isEqualTo("x");
            assertThat(corrupt.documentId()).isEqualTo("billing#x");
        });
        assertThat(names(a.store().page(null, 9, "a"))).containsExactly("y", "x");
        a.commits(a.extend("y"));
    }

    @Test
    void aCorruptLeaseIsNeitherInsertedOverNorAsserted() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        deployment.corrupt("x");
        StoredLease before = stored("x");

        assertThat(a.commit(a.insert("x"))).isEqualTo(WriteOutcome.MISSED);

        assertThat(stored("x")).isEqualTo(before);
        Caller caller = deployment.caller();
        caller.begins();
        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> caller.asserts(tenure("x")));
        caller.aborts();
    }

    @Test
    void aReadThatDoesNotArriveIsUnavailableAndMayBeTriedAgain() {
        LeaseStore store = deployment.connectImpatiently();
        store.open();

        deployment.befall(Mishap.REQUEST_LOST);
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> store.read(Set.of("x"), "a"));
        deployment.mend();

        assertThat(store.read(Set.of("x"), "a").leases()).containsExactly(new StoredLease.Absent("x"));
    }

    @Test
    void aReadThatIsRefusedForAWhileIsUnavailable() {
        LeaseStore store = open();

        deployment.befall(Mishap.REFUSED);

        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> store.read(Set.of("x"), "a"));
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> store.page(null, 1, "a"));
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(store::survey);
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(store::idleTransactions);
    }
}
