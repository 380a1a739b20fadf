package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every lease store promises, and what the database behind it does to what uses it. */
@ExtendWith(PlayedInItsDeployment.class)
abstract class StoreContract {

    private static final int LOOKS_MAX = 5_000;

    final ContractDeployment deployment;
    private @Nullable LeaseStore observer;

    StoreContract(ContractDeployment deployment) {
        this.deployment = deployment;
    }

    /** A store that has been opened. */
    LeaseStore open() {
        LeaseStore store = deployment.connect();
        store.open();
        return store;
    }

    /** A registered writer with a store of its own. */
    ContractWriter writer(String key) {
        ContractWriter writer = new ContractWriter(open(), key);
        return writer.writes(writer.registration(null));
    }

    /** The same, with a session. */
    ContractWriter writerWithSession(String key) {
        ContractWriter writer = new ContractWriter(open(), key);
        return writer.writes(writer.registration(Fixture.MINUTE));
    }

    /** The same, and the server does not soon give up what waits. */
    ContractWriter patientWriterWithSession(String key) {
        LeaseStore store = deployment.connectPatiently();
        store.open();
        ContractWriter writer = new ContractWriter(store, key);
        return writer.writes(writer.registration(Fixture.MINUTE));
    }

    /** A writer without a session, which gives up soon. */
    ContractWriter impatientWriter(String key) {
        LeaseStore store = deployment.connectImpatiently();
        store.open();
        ContractWriter writer = new ContractWriter(store, key);
        return writer.writes(writer.registration(null));
    }

    /** The tenure of those leases that a writer has inserted. */
    static Tenure tenure(String lease) {
        return new Tenure(Fixture.NAMESPACE, lease, "h", 1);
    }

    // ---- what a bystander reads ----

    private LeaseStore observer() {
        if (observer == null) {
            observer = open();
        }
        return observer;
    }

    StoredLease stored(String lease) {
        return observer().read(Set.of(lease), "absent").leases().get(0);
    }

    LeaseDocument lease(String name) {
        return ((StoredLease.Sound) stored(name)).document();
    }

    long token(String lease) {
        return lease(lease).token();
    }

    boolean isThere(String lease) {
        return !(stored(lease) instanceof StoredLease.Absent);
    }

    ClockDocument clock() {
        return observer().read(Set.of(), "absent").clock();
    }

    long ticks() {
        return clock().ticks();
    }

    WriterEntry.@Nullable Sound entry(String writer) {
        return (WriterEntry.Sound)
                observer().read(Set.of(), writer).clock().writers().get(writer);
    }

    /** The bystander is there before: it could not open the database any more. */
    void stopReplication() {
        observer();
        deployment.stopReplication();
    }

    /** Waits for what is to come. */
    void await(BooleanSupplier condition) {
        for (int looks = 0; !condition.getAsBoolean() && looks < LOOKS_MAX; looks++) {
            deployment.passTime();
        }
        assertThat(condition.getAsBoolean()).as("it has come").isTrue();
    }

    /** No open transaction is in the way of this writer, which must be registered. */
    static void assertThatTheClockIsFreeFor(ContractWriter writer) {
        assertThat(writer.commit()).as("the clock is free").isEqualTo(WriteOutcome.APPLIED);
    }
}
