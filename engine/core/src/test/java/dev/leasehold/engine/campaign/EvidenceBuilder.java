package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Change.GateWritten;
import dev.leasehold.engine.campaign.Change.LeaseWritten;
import dev.leasehold.engine.campaign.Entry.Asked;
import dev.leasehold.engine.campaign.Entry.Lost;
import dev.leasehold.engine.campaign.Entry.Seen;
import dev.leasehold.engine.campaign.Entry.Slept;
import dev.leasehold.engine.campaign.Entry.Told;
import dev.leasehold.engine.campaign.Entry.Valid;
import java.util.ArrayList;
import java.util.List;

/** The evidence about one lease, written by hand. Every answer comes one nanosecond after its question. */
final class EvidenceBuilder {

    static final String LEASE = "lease";
    static final long TERM = 100;

    private final List<Entry> entries = new ArrayList<>();
    private final List<GatedWrite> writes = new ArrayList<>();
    private final List<Change> history = new ArrayList<>();
    private long storedToken;
    private long storedCount;

    EvidenceBuilder asked(String call, Operation operation, String holder, long token, long atNanos) {
        boolean hasTerm = operation.beginsTenure() || operation == Operation.EXTEND;
        entries.add(new Asked(call, operation, LEASE, holder, token, hasTerm ? TERM : 0, atNanos));
        return this;
    }

    EvidenceBuilder told(String call, Verdict verdict, long token, long atNanos) {
        entries.add(new Told(call, verdict, token, "detail", atNanos));
        return this;
    }

    private EvidenceBuilder done(
            String call, Operation operation, String holder, long token, long granted, long atNanos) {
        return asked(call, operation, holder, token, atNanos).told(call, Verdict.YES, granted, atNanos + 1);
    }

    /** The database tells that the lease is held. */
    EvidenceBuilder landed(String call, String holder, long token) {
        history.add(new LeaseWritten(LEASE, holder, token, call));
        storedToken = Math.max(storedToken, token);
        return this;
    }

    /** The database tells that the lease is vacant. */
    EvidenceBuilder landedEnd(long token) {
        history.add(new LeaseWritten(LEASE, null, token, null));
        return this;
    }

    EvidenceBuilder claimed(String call, String holder, long token, long atNanos) {
        return done(call, Operation.CLAIM, holder, 0, token, atNanos).landed(call, holder, token);
    }

    EvidenceBuilder tookOver(String call, String holder, long token, long atNanos) {
        return done(call, Operation.TAKE_OVER, holder, 0, token, atNanos).landed(call, holder, token);
    }

    /** The holder has the name of the call. */
    EvidenceBuilder acquired(String call, long token, long atNanos) {
        return done(call, Operation.ACQUIRE, call, 0, token, atNanos).landed(call, call, token);
    }

    /** The database tells nothing of it. */
    EvidenceBuilder closed(String call, String holder, long token, long atNanos) {
        return asked(call, Operation.CLOSE, holder, token, atNanos).told(call, Verdict.NEVER_KNOWN, 0, atNanos + 1);
    }

    EvidenceBuilder lost(String holder, long token, long atNanos) {
        entries.add(new Lost(LEASE, holder, token, "EXPIRED", atNanos));
        return this;
    }

    EvidenceBuilder slept(String process, long fromNanos, long untilNanos) {
        entries.add(new Slept(process, fromNanos, untilNanos));
        return this;
    }

    EvidenceBuilder expired(String call, long token, long atNanos) {
        return done(call, Operation.EXPIRE, "-", 0, token, atNanos).landedEnd(token);
    }

    EvidenceBuilder extended(String call, String holder, long token, long atNanos) {
        return done(call, Operation.EXTEND, holder, token, token, atNanos).landed(call, holder, token);
    }

    EvidenceBuilder released(String call, String holder, long token, long atNanos) {
        return done(call, Operation.RELEASE, holder, token, token, atNanos).landedEnd(token);
    }

    /** What the database told last is withdrawn. */
    EvidenceBuilder notLanded() {
        history.remove(history.size() - 1);
        return this;
    }

    /** A gated transaction that was acknowledged, and its document. */
    EvidenceBuilder gated(String call, String holder, long token, long atNanos) {
        return done(call, Operation.GATE, holder, token, token, atNanos).written(call, token, ++storedCount);
    }

    EvidenceBuilder written(String call, long token, long sequence) {
        writes.add(new GatedWrite(call, LEASE, token, sequence));
        history.add(new GateWritten(LEASE, token, call));
        storedCount = Math.max(storedCount, sequence);
        return this;
    }

    EvidenceBuilder notWritten(String call) {
        writes.removeIf(write -> write.call().equals(call));
        return this;
    }

    EvidenceBuilder valid(String holder, long token, long fromNanos, long untilNanos) {
        entries.add(new Valid(LEASE, holder, token, fromNanos, untilNanos));
        return this;
    }

    EvidenceBuilder seen(String call, String holder, long token) {
        entries.add(new Seen(LEASE, holder, token, call));
        return this;
    }

    EvidenceBuilder stored(long token) {
        storedToken = token;
        return this;
    }

    List<String> violations() {
        return Guarantees.violations(
                new Evidence(entries, List.of(new FinalLease(LEASE, storedToken, storedCount)), writes, history));
    }
}
