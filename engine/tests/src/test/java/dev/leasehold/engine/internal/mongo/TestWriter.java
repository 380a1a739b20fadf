package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.mongo.documents.Fixture;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Uses a store as an engine does, but without judging anything: a writer, its stamps and its writes. */
final class TestWriter {

    private final MongoLeaseStore store;
    private final String key;
    private long acknowledgedNanos = Fixture.Z;
    private long stampNanos = Fixture.Z;

    TestWriter(MongoLeaseStore store, String key) {
        this.store = store;
        this.key = key;
    }

    TestWriter registered() {
        assertThat(store.writeClock(registration())).isEqualTo(WriteOutcome.APPLIED);
        return this;
    }

    MongoLeaseStore store() {
        return store;
    }

    String key() {
        return key;
    }

    long stampNanos() {
        return stampNanos;
    }

    ClockWrite registration() {
        return new ClockWrite.Register(key, acknowledgedNanos, store.driverSession(), null);
    }

    /** The statement of the next transaction, with nothing pinned but the writer's own time. */
    ClockStatement clock() {
        return clock(null, Set.of(), null);
    }

    ClockStatement clock(Long tokenFloor, Set<String> absentWriters, Long raiseTokenFloorTo) {
        stampNanos++;
        return new ClockStatement(
                key, acknowledgedNanos, stampNanos, tokenFloor, absentWriters, Map.of(), raiseTokenFloorTo);
    }

    /** The document that this writer would write next. */
    LeaseDocument document(String name, String holder, long token) {
        Long expiryNanos = holder == null ? null : (Long) (stampNanos + 1 + Fixture.MINUTE);
        return new LeaseDocument(
                Fixture.NAMESPACE,
                name,
                holder,
                token,
                key,
                stampNanos + 1,
                expiryNanos,
                0,
                null,
                Fixture.SINCE,
                Set.of(),
                0,
                null);
    }

    LeaseWrite insert(String name) {
        return new LeaseWrite.Insert(document(name, "h", 1));
    }

    /** Hands a lease that this writer wrote last to another holder. */
    LeaseWrite replace(String name, String holder, long token) {
        return new LeaseWrite.Replace(guard(name), document(name, holder, token), false);
    }

    /** The same as a write of its own, for a new holder. */
    LeaseWrite.Replace takes(String name, String holder, long token) {
        return new LeaseWrite.Replace(guard(name), document(name, holder, token), true);
    }

    /** The next stamp of this writer, after everything that it wrote. */
    long nextStampNanos() {
        return ++stampNanos;
    }

    ClockWrite.Heartbeat heartbeat() {
        return new ClockWrite.Heartbeat(key, acknowledgedNanos, nextStampNanos());
    }

    ClockWrite.Join join(long sessionNanos) {
        return new ClockWrite.Join(key, acknowledgedNanos, nextStampNanos(), sessionNanos);
    }

    /** Keeps the session of its entry alive, or begins it. */
    TestWriter beats(ClockWrite write) {
        assertThat(store.writeClock(write)).isEqualTo(WriteOutcome.APPLIED);
        acknowledgedNanos = stampNanos;
        return this;
    }

    LeaseWrite remove(String name) {
        return new LeaseWrite.Remove(name, guard(name), 0);
    }

    /** A guard that has come to be wrong, as if another had written the lease. */
    LeaseGuard staleGuard() {
        return new LeaseGuard(key, 1, 1);
    }

    LeaseGuard guard(String name) {
        StoredLease found = store.read(Set.of(name), key).leases().get(0);
        return ((StoredLease.Sound) found).document().guard();
    }

    WriteOutcome commit(LeaseWrite... writes) {
        return commit(clock(), writes);
    }

    WriteOutcome commit(ClockStatement clock, LeaseWrite... writes) {
        return commit(new GuardedTransaction(clock, List.of(writes), false));
    }

    /** With the statement of the clock in a command of its own. */
    WriteOutcome commitApart(LeaseWrite... writes) {
        return commitApart(clock(), writes);
    }

    WriteOutcome commitApart(ClockStatement clock, LeaseWrite... writes) {
        return commit(new GuardedTransaction(clock, List.of(writes), true));
    }

    private WriteOutcome commit(GuardedTransaction transaction) {
        WriteOutcome outcome = store.commit(transaction, () -> true);
        if (outcome.verdict() == Verdict.APPLIED) {
            acknowledgedNanos = transaction.clock().stampNanos();
        }
        return outcome;
    }

    /** For writes that a test only prepares with. */
    TestWriter commits(LeaseWrite... writes) {
        assertThat(commit(writes)).isEqualTo(WriteOutcome.APPLIED);
        return this;
    }
}
