package dev.leasehold.engine.internal.eventloop;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.commit.Partitions;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.settings.EngineSettings;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the queues, the held leases, the watch and the elections of one engine share.
 *
 * @param callbacks runs code of callers
 * @param aborts ends transactions, which may wait for the database: callers' code must not wait for that
 */
public record LeaseContext(
        EngineSettings settings,
        Operations operations,
        Partitions partitions,
        EngineRuntime runtime,
        EventLoop loop,
        EngineMetrics metrics,
        Executor callbacks,
        Executor aborts,
        Function<Tenure, LeaseAssertion> assertions) {

    public long nowNanos() {
        return partitions.clock().nowNanos();
    }

    /** The instant so long from now, saturating. */
    public long inNanos(long nanos) {
        return partitions.clock().inNanos(nanos);
    }

    /** Runs the task so long from now, see {@link EventLoop#at}. Event loop only. */
    public EventLoop.Timer after(long nanos, Runnable task) {
        return loop.at(inNanos(nanos), task);
    }

    public ValidityTracker validities(Tenure tenure) {
        return partitions.validities(tenure);
    }

    /** Posts a task that will submit an operation on a lease, to the thread that sends it unless that waits for the database. */
    public void postFor(String lease, Runnable task) {
        loop.post(task, drain -> partitions.executeUnlessSending(lease, drain));
    }

    /** Runs what depends on a future, which would keep an error of it from ending the engine. */
    public void runInFuture(Runnable dependent) {
        try {
            dependent.run();
        } catch (Error e) {
            runtime.fail(e);
            throw e;
        }
    }

    /** A random pause after so many failures in a row. */
    public long backoffNanos(int failures) {
        return runtime.randomNanos(Backoff.longWindowNanos(failures));
    }

    public static boolean isWarned(int failures) {
        return Integer.bitCount(failures) == 1;
    }

    /** The failure, to log its stack trace, if it is unexpected; null for a {@link LeaseException}, whose message says all. */
    public static @Nullable Throwable stackTraceOf(Throwable failure) {
        return failure instanceof LeaseException ? null : failure;
    }
}
