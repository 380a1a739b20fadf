package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.Tenure;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One lease as stored.
 *
 * <pre>{@code
 * { _id: "billing#nightly", type: "lease", namespace: "billing", name: "nightly",
 *   holder: "worker-7", token: 3, writer: "shop:4711#9f2c", written: 3255759600000000005, expiry: 3255759660000000005,
 *   gates: 12, comment: "run 2073-03-03", since: ISODate("2073-03-03T09:40:00.000Z") }
 * }</pre>
 *
 * <p>With gate stripes it says how many ({@code stripes: 2}), and beside it lie as many documents like this one. They show the
 * tenure too, and every write that begins or ends a tenure writes all of them.
 *
 * <pre>{@code
 * { _id: "billing!1#nightly", type: "gate", namespace: "billing", name: "nightly", holder: "worker-7", token: 3, gates: 5 }
 * }</pre>
 *
 * @param namespace the namespace of the lease
 * @param name the name of the lease
 * @param holder who holds it; null when it is vacant
 * @param token grows by one at every change of tenure
 * @param writer the engine that wrote the document last
 * @param writtenNanos that engine's stamp of that write; with {@code writer} it names one write for ever
 * @param expiryNanos end of the term on the clock of {@code writer}; null for a session lease. In a vacant one the end of the time for
 *     which it is kept free; null for none
 * @param gates how many assertions were made; never looked at by the engine
 * @param comment text for people
 * @param since wall time of the writer when the tenure began, for people alone
 * @param pins who wants that nobody takes it; empty for a lease that is not pinned
 * @param stripes how many gate stripes it has; 0 for none. Never fewer than before, as long as the document is there
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
        int stripes) {

    public LeaseDocument {
        pins = Set.copyOf(pins);
    }

    /** One without gate stripes. */
    public LeaseDocument(
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
            Set<String> pins) {
        this(namespace, name, holder, token, writer, writtenNanos, expiryNanos, gates, comment, since, pins, 0);
    }

    public boolean isVacant() {
        return holder == null;
    }

    /** Vacant, and nobody may take it before its expiry has certainly passed. */
    public boolean isKeptFree() {
        return holder == null && expiryNanos != null;
    }

    /** Held, and kept by its writer's session instead of a term of its own. */
    public boolean isSessionLease() {
        return holder != null && expiryNanos == null;
    }

    /** The tenure of a held lease. */
    public Tenure tenure() {
        if (holder == null) {
            throw new IllegalStateException("lease '" + name + "' is vacant and has no tenure");
        }
        return new Tenure(namespace, name, holder, token);
    }

    /** Whether a tenure of the lease was over when this was written: each has a greater token than those before. */
    public boolean showsTheEndOf(Tenure tenure) {
        return token > tenure.token()
                || token == tenure.token() && !tenure.holder().equals(holder);
    }

    /** The same with one more pin, or one less. */
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
                stripes);
    }

    public LeaseGuard guard() {
        return new LeaseGuard(writer, writtenNanos, token);
    }
}
