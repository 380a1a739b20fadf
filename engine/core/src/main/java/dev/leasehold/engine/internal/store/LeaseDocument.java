package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One lease as stored. Section 4 of the specification shows it, with its gate stripes: documents that repeat the
 * tenure, all written by every write that begins or ends one.
 *
 * @param holder null if the lease is vacant
 * @param token grows by one at every change of tenure
 * @param writer the engine that wrote the document last
 * @param writtenNanos that engine's stamp of that write; with {@code writer} it identifies one write forever
 * @param expiryNanos end of the term on the clock of {@code writer}; null for a session lease. In a vacant lease the
 *     time before which it must not be acquired; null for none
 * @param gates the number of assertions; the engine never reads it
 * @param comment text for people
 * @param since wall time of the writer when the tenure began, for people alone
 * @param pins the entities that pin the lease; empty if it is not pinned
 * @param stripes the number of gate stripes; 0 for none. It never shrinks while the document exists
 * @param payload what the holder publishes; null for nothing
 */
public record LeaseDocument(
        String namespace,
        String name,
        @Nullable String holder,
        long token,
        String writer,
        long writtenNanos,
        @Nullable Long expiryNanos,
        long gates,
        @Nullable String comment,
        Instant since,
        Set<String> pins,
        int stripes,
        @Nullable String payload) {

    public LeaseDocument {
        pins = Set.copyOf(pins);
    }

    public boolean isVacant() {
        return holder == null;
    }

    /** Vacant, and must not be acquired before its expiry has certainly passed. */
    public boolean isKeptFree() {
        return holder == null && expiryNanos != null;
    }

    /** Held without a term: the session of its writer keeps it. */
    public boolean isSessionLease() {
        return holder != null && expiryNanos == null;
    }

    /** The tenure of a held lease. */
    public Tenure tenure() {
        if (holder == null) {
            throw new IllegalStateException("lease " + LeaseNames.quote(name) + " is vacant and has no tenure");
        }
        return new Tenure(namespace, name, holder, token);
    }

    /** Whether the tenure was over when this document was written: a later tenure has a greater token. */
    public boolean showsTheEndOf(Tenure tenure) {
        return token > tenure.token()
                || token == tenure.token() && !tenure.holder().equals(holder);
    }

    /** The same document with a pin added or removed. */
    public LeaseDocument withPin(String entity, boolean pinned) {
        Set<String> changed = new HashSet<>(pins);
        if (pinned) {
            changed.add(entity);
        } else {
            changed.remove(entity);
        }
        return new LeaseDocument(
                namespace,
                name,
                holder,
                token,
                writer,
                writtenNanos,
                expiryNanos,
                gates,
                comment,
                since,
                changed,
                stripes,
                payload);
    }

    public LeaseGuard guard() {
        return new LeaseGuard(writer, writtenNanos, token);
    }
}
