package dev.leasehold.engine.internal.runtime;

import dev.leasehold.engine.internal.time.EngineClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runtime whose engine threads close the engine at the first {@link Error} in any of them: out of memory, stack overflow, linkage. The
 * state that such a task leaves behind is unknown, so no validity that depends on it may last, and nothing may be decided on it. Engine
 * threads catch errors only here, and where a future would keep one, see {@link #fail}. Safe for many threads.
 */
public final class FailStop implements EngineRuntime {

    private static final Logger LOG = LoggerFactory.getLogger(FailStop.class);

    private final EngineRuntime runtime;
    private final AtomicReference<@Nullable Error> failure = new AtomicReference<>();
    private final AtomicReference<@Nullable Consumer<Error>> ending = new AtomicReference<>();
    private final AtomicInteger errors = new AtomicInteger();

    public FailStop(EngineRuntime runtime) {
        this.runtime = runtime;
    }

    /** The error that has closed the engine; null for none. */
    public @Nullable Error failure() {
        return failure.get();
    }

    /**
     * Sets the action that closes the engine. It runs at most once, on the thread that failed, or here if one has failed before.
     *
     * @param end must not block
     */
    public void onFailure(Consumer<Error> end) {
        ending.set(end);
        Error before = failure.get();
        if (before != null) {
            end(before);
        }
    }

    @Override
    public boolean hasFailed() {
        return failure() != null;
    }

    @Override
    public void fail(Error error) {
        failed(Thread.currentThread().getName(), error);
    }

    private void failed(String thread, Error error) {
        boolean first = failure.compareAndSet(null, error);
        try {
            if (first) {
                end(error);
            }
        } finally {
            // A task that comes again, and always fails, must not fill the log.
            if ((first || failure() != error) && Integer.bitCount(errors.incrementAndGet()) == 1) {
                LOG.error("thread '{}': an error has ended the engine: all that it holds is lost", thread, error);
            }
        }
    }

    private void end(Error error) {
        Consumer<Error> end = ending.getAndSet(null);
        if (end != null) {
            end.accept(error);
        }
    }

    @Override
    public EngineThread startThread(String name) {
        return new Guarded(name, runtime.startThread(name));
    }

    private final class Guarded implements EngineThread {

        private final String name;
        private final EngineThread thread;

        private Guarded(String name, EngineThread thread) {
            this.name = name;
            this.thread = thread;
        }

        @Override
        public void execute(Runnable task) {
            thread.execute(() -> run(task));
        }

        @Override
        public void executeAfter(long delayNanos, Runnable task) {
            thread.executeAfter(delayNanos, () -> run(task));
        }

        private void run(Runnable task) {
            try {
                task.run();
            } catch (RuntimeException e) {
                throw e;
            } catch (Error e) {
                failed(name, e);
            } catch (Throwable e) {
                // Of code that declares no checked exceptions, such as a listener of the driver: nothing here has
                // caught it.
                failed(name, new Error("a task has thrown what no method of it declares", e));
            }
        }

        @Override
        public void stop() {
            thread.stop();
        }
    }

    @Override
    public EngineClock clock() {
        return runtime.clock();
    }

    @Override
    public String uniqueText() {
        return runtime.uniqueText();
    }

    @Override
    public long randomNanos(long boundNanos) {
        return runtime.randomNanos(boundNanos);
    }

    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
        return runtime.await(future, timeoutNanos);
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        return runtime.startCallbacks(name);
    }
}
