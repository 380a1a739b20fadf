package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Uses a store as an engine does, but without judging anything: a writer, its stamps and its writes. */
final class ContractWriter {

    private final LeaseStore store;
    private final String namespace;
    private final String key;
    private long acknowledgedNanos = Fixture.Z;
    private long stampNanos = Fixture.Z;

    ContractWriter(LeaseStore store, String key) {
        this(store, Fixture.NAMESPACE, key);
    }

    /** One whose leases lie in a partition of that id. */
    ContractWriter(LeaseStore store, String partition, String key) {
        this.store = store;
        this.namespace = partition;
        this.key = key;
    }

    LeaseStore store() {
        return store;
    }

    /** Its newest stamp, stored or not. */
    long stampNanos() {
        return stampNanos;
    }

    // ---- what it writes of the clock alone ----

    ClockWrite registration(@Nullable Long sessionNanos) {
        return new ClockWrite.Register(key, Fixture.Z, store.driverSession(), sessionNanos);
    }

    ClockWrite join() {
        return new ClockWrite.Join(key, acknowledgedNanos, ++stampNanos, Fixture.MINUTE);
    }

    ClockWrite heartbeat() {
        return new ClockWrite.Heartbeat(key, acknowledgedNanos, ++stampNanos);
    }

    ClockWrite barrier() {
        return new ClockWrite.Barrier(key);
    }

    WriteOutcome write(ClockWrite write) {
        WriteOutcome outcome = store.writeClock(write);
        if (outcome.verdict() == Verdict.APPLIED) {
            acknowledge(write);
        }
        return outcome;
    }

    private void acknowledge(ClockWrite write) {
        if (write instanceof ClockWrite.Heartbeat heartbeat) {
            acknowledgedNanos = heartbeat.stampNanos();
        } else if (write instanceof ClockWrite.Join join) {
            acknowledgedNanos = join.stampNanos();
        }
    }

    /** For writes that a test only prepares with. */
    ContractWriter writes(ClockWrite write) {
        assertThat(write(write)).as("%s", write).isEqualTo(WriteOutcome.APPLIED);
        return this;
    }

    // ---- what it writes of leases ----

    /** The document that it would write next. */
    LeaseDocument document(String name, @Nullable String holder, long token) {
        Long expiryNanos = holder == null ? null : (Long) (stampNanos + 1 + Fixture.MINUTE);
        String comment = holder == null ? null : "run " + token;
        return new LeaseDocument(
                namespace,
                name,
                holder,
                token,
                key,
                stampNanos + 1,
                expiryNanos,
                0,
                comment,
                Fixture.SINCE,
                Set.of(),
                0,
                null);
    }

    /** The first document of a name, held by {@code h} under token 1. */
    LeaseWrite insert(String name) {
        return new LeaseWrite.Insert(document(name, "h", 1));
    }

    /** The same with gate stripes. */
    LeaseWrite insert(String name, int stripes) {
        return new LeaseWrite.Insert(striped(document(name, "h", 1), stripes));
    }

    /** The write with all gate stripes of the lease, of which there may be more from now on. */
    static LeaseWrite.Replace striped(LeaseWrite.Replace write, int stripes) {
        return new LeaseWrite.Replace(write.guard(), striped(write.document(), stripes), write.unlessPinned(), stripes);
    }

    static LeaseWrite.Remove striped(LeaseWrite remove, int stripes) {
        LeaseWrite.Remove plain = (LeaseWrite.Remove) remove;
        return new LeaseWrite.Remove(plain.name(), plain.guard(), stripes);
    }

    private static LeaseDocument striped(LeaseDocument document, int stripes) {
        return new LeaseDocument(
                document.namespace(),
                document.name(),
                document.holder(),
                document.token(),
                document.writer(),
                document.writtenNanos(),
                document.expiryNanos(),
                document.gates(),
                document.comment(),
                document.since(),
                document.pins(),
                stripes,
                null);
    }

    /** The same holder and token with a later expiry. */
    LeaseWrite.Replace extend(String name) {
        LeaseDocument found = found(name);
        return new LeaseWrite.Replace(found.guard(), document(name, found.holder(), found.token()), false);
    }

    /** The same tenure with another payload; null for none. */
    LeaseWrite.Replace publish(String name, @Nullable String payload) {
        LeaseDocument found = found(name);
        LeaseDocument next = document(name, found.holder(), found.token());
        return new LeaseWrite.Replace(
                found.guard(),
                new LeaseDocument(
                        next.namespace(),
                        next.name(),
                        next.holder(),
                        next.token(),
                        next.writer(),
                        next.writtenNanos(),
                        next.expiryNanos(),
                        next.gates(),
                        next.comment(),
                        next.since(),
                        next.pins(),
                        next.stripes(),
                        payload),
                false);
    }

    /** The next tenure, which no writer may begin while the lease is pinned. */
    LeaseWrite.Replace take(String name, String holder) {
        LeaseDocument found = found(name);
        return new LeaseWrite.Replace(found.guard(), document(name, holder, found.token() + 1), true);
    }

    LeaseWrite.Replace vacate(String name) {
        LeaseDocument found = found(name);
        return new LeaseWrite.Replace(found.guard(), document(name, null, found.token()), false);
    }

    /** The same, but no writer may take it for a minute. */
    LeaseWrite.Replace keepFree(String name) {
        LeaseDocument found = found(name);
        LeaseDocument vacant = document(name, null, found.token());
        LeaseDocument keptFree = new LeaseDocument(
                vacant.namespace(),
                vacant.name(),
                null,
                vacant.token(),
                vacant.writer(),
                vacant.writtenNanos(),
                vacant.writtenNanos() + Fixture.MINUTE,
                vacant.gates(),
                null,
                vacant.since(),
                vacant.pins(),
                0,
                null);
        return new LeaseWrite.Replace(found.guard(), keptFree, false);
    }

    /** As operators make it vacant: no assertion of the tenure passes from then on. */
    LeaseWrite.Replace expireByForce(String name) {
        LeaseDocument found = found(name);
        return new LeaseWrite.Replace(found.guard(), document(name, null, found.token() + 1), false);
    }

    LeaseWrite remove(String name) {
        LeaseDocument found = found(name);
        return new LeaseWrite.Remove(name, found.guard(), 0);
    }

    LeaseWrite pin(String name, String entity, boolean pinned) {
        return new LeaseWrite.Pin(name, found(name).guard(), entity, pinned);
    }

    /** Rests on a document that is not, or no longer, there. */
    LeaseWrite.Replace stale(String name) {
        return new LeaseWrite.Replace(staleGuard(), document(name, "h2", 2), false);
    }

    /** Rests on a token that the document does not have, or has no longer. */
    LeaseWrite.Replace withTokenOf(String name, long token) {
        LeaseGuard guard = found(name).guard();
        LeaseGuard other = new LeaseGuard(guard.writer(), guard.writtenNanos(), token);
        return new LeaseWrite.Replace(other, document(name, "h2", token + 1), false);
    }

    LeaseGuard staleGuard() {
        return new LeaseGuard(key, 1, 1);
    }

    private LeaseDocument found(String name) {
        StoredLease found = store.read(Set.of(name), key).leases().get(0);
        return ((StoredLease.Sound) found).document();
    }

    // ---- transactions ----

    /** The statement of the next transaction, which rests on nothing but the writer's own time. */
    ClockStatement clock() {
        return clock(null, Set.of(), Map.of(), null);
    }

    ClockStatement clock(
            @Nullable Long tokenFloor,
            Set<String> absentWriters,
            Map<String, Long> evictedWriters,
            @Nullable Long raiseTokenFloorTo) {
        return new ClockStatement(
                key, acknowledgedNanos, ++stampNanos, tokenFloor, absentWriters, evictedWriters, raiseTokenFloorTo);
    }

    WriteOutcome commit(LeaseWrite... writes) {
        return commit(clock(), writes);
    }

    WriteOutcome commit(ClockStatement clock, LeaseWrite... writes) {
        return commit(new GuardedTransaction(clock, List.of(writes), false), () -> true);
    }

    /** With the statement of the clock in a command of its own. */
    WriteOutcome commitApart(LeaseWrite... writes) {
        return commit(new GuardedTransaction(clock(), List.of(writes), true), () -> true);
    }

    /** Something happens when all guards held, and before the commit is sent. */
    WriteOutcome commitAfter(Runnable happening, LeaseWrite... writes) {
        return commit(new GuardedTransaction(clock(), List.of(writes), false), () -> {
            happening.run();
            return true;
        });
    }

    WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        WriteOutcome outcome = store.commit(transaction, mayCommit);
        if (outcome.verdict() == Verdict.APPLIED) {
            acknowledgedNanos = transaction.clock().stampNanos();
        }
        return outcome;
    }

    /** For transactions that a test only prepares with. */
    ContractWriter commits(LeaseWrite... writes) {
        assertThat(commit(writes)).isEqualTo(WriteOutcome.APPLIED);
        return this;
    }
}
