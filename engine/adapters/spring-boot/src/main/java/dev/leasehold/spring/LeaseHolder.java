package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The lease under which the current thread runs: that of the innermost {@link Leased} or {@link LeaderOnly} method. Threads that such a
 * method starts do not have it, nor has the work of a stage or publisher that it returns: such work has the lease from a parameter of the
 * method, or from the context of the subscriber, as {@code context.get(Lease.class)}.
 */
public final class LeaseHolder {

    private static final ThreadLocal<@Nullable Held> CURRENT = new ThreadLocal<>();

    /** A lease of this thread, the occurrence that is done under it, and that of the method around. */
    private record Held(
            SharedLease lease,
            @Nullable String occurrence,
            @Nullable Held outer) {}

    private LeaseHolder() {}

    /** {@return the lease of this thread; empty outside of such a method} */
    public static Optional<Lease> current() {
        return Optional.ofNullable(CURRENT.get()).map(held -> held.lease().lease());
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
                        "no lease on this thread: call this inside of a method with @Leased or @LeaderOnly, called through its bean; in"
                                + " a unit test, by LeaseHolder.callWith"));
        lease.requireHeld();
        return lease;
    }

    /**
     * The occurrence that the innermost method with {@link Leased#oncePer()} on this thread does: which night's invoices, which hour. What
     * such a method reads and writes should follow from this, and not from the clock.
     *
     * @return empty outside of such a method
     */
    public static Optional<String> occurrence() {
        for (Held held = CURRENT.get(); held != null; held = held.outer()) {
            if (held.occurrence() != null) {
                return Optional.of(held.occurrence());
            }
        }
        return Optional.empty();
    }

    /**
     * Runs work under a lease as a {@link Leased} method does: for unit tests of such methods, which run without Spring, and for code that
     * acquires leases itself. Neither acquires nor releases.
     *
     * <pre>{@code
     * Lease lease = leases.engine().tryAcquire("report").orElseThrow(); // of the test kit
     * LeaseHolder.callWith(lease, report::create);
     * }</pre>
     *
     * @param lease the one that {@link #current()} and {@link #requireHeld()} find meanwhile, on this thread alone
     * @param work runs once, on this thread
     * @param <T> what it returns
     * @return what it returned
     * @throws Exception what it threw
     */
    public static <T extends @Nullable Object> T callWith(Lease lease, Callable<T> work) throws Exception {
        return callWith(lease, null, work);
    }

    /**
     * As {@link #callWith(Lease, Callable)}, for a method with {@link Leased#oncePer()}. Records nothing.
     *
     * @param lease the one that {@link #current()} and {@link #requireHeld()} find meanwhile, on this thread alone
     * @param occurrence what {@link #occurrence()} finds meanwhile; null for none of its own
     * @param work runs once, on this thread
     * @param <T> what it returns
     * @return what it returned
     * @throws Exception what it threw
     */
    public static <T extends @Nullable Object> T callWith(Lease lease, @Nullable String occurrence, Callable<T> work)
            throws Exception {
        Objects.requireNonNull(work, "work");
        Held outer = CURRENT.get();
        CURRENT.set(new Held(SharedLease.borrowed(Objects.requireNonNull(lease, "lease")), occurrence, outer));
        try {
            return work.call();
        } finally {
            restore(outer);
        }
    }

    private static void restore(@Nullable Held outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    /** A piece of work that may fail in any way. */
    interface Work {
        @Nullable Object run() throws Throwable;
    }

    /** The lease of that engine and name under which this thread runs already; null for none. */
    static @Nullable SharedLease outer(LeaseEngine engine, String name) {
        for (Held held = CURRENT.get(); held != null; held = held.outer()) {
            if (held.lease().isOf(engine, name)) {
                return held.lease();
            }
        }
        return null;
    }

    static @Nullable Object with(SharedLease lease, @Nullable String occurrence, Work work) throws Throwable {
        Held outer = CURRENT.get();
        CURRENT.set(new Held(lease, occurrence, outer));
        try {
            return work.run();
        } finally {
            restore(outer);
        }
    }
}
