package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease under which the current thread runs: that of the innermost {@link Leased} or {@link LeaderOnly} method. Threads that such a
 * method starts do not have it.
 */
public final class LeaseHolder {

    private static final ThreadLocal<@Nullable Lease> CURRENT = new ThreadLocal<>();

    private LeaseHolder() {}

    /** {@return the lease of this thread; empty outside of such a method} */
    public static Optional<Lease> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * The lease of this thread, for code that must not go on without it. Never blocks, does no I/O.
     *
     * @return the lease, which is held
     * @throws LeaseNotHeldException if it was lost: stop
     * @throws IllegalStateException outside of a {@link Leased} or {@link LeaderOnly} method
     */
    public static Lease requireHeld() {
        Lease lease = current()
                .orElseThrow(() -> new IllegalStateException(
                        "no lease on this thread: call this inside of a method with @Leased or @LeaderOnly"));
        lease.requireHeld();
        return lease;
    }

    /** A piece of work that may fail in any way. */
    interface Work {
        @Nullable Object run() throws Throwable;
    }

    static @Nullable Object with(Lease lease, Work work) throws Throwable {
        Lease outer = CURRENT.get();
        CURRENT.set(lease);
        try {
            return work.run();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
