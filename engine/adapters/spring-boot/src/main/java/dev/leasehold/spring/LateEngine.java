package dev.leasehold.spring;

import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseUnavailableException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine for an application that starts while its database is away. A thread of its own makes the real one when the database is there;
 * until then what needs it fails at once, with {@link LeaseUnavailableException}, as it does when the database goes away later.
 *
 * <p>Safe for use by many threads.
 */
final class LateEngine implements InvocationHandler {

    private static final Logger LOG = LoggerFactory.getLogger(LateEngine.class);

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Supplier<LeaseEngine> build;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private final List<Consumer<LeaseEngine>> waiting = new ArrayList<>();
    private volatile @Nullable LeaseEngine engine;
    private volatile RuntimeException failure;
    private volatile boolean isClosed;
    private volatile boolean hasFailed;

    private LateEngine(Supplier<LeaseEngine> build, LeaseUnavailableException failure) {
        this.build = build;
        this.failure = failure;
    }

    /**
     * Makes the engine now if the database is there, and later if it is not.
     *
     * @param build makes it, each time it is called
     * @return the engine itself, or a proxy of the one that there will be
     * @throws RuntimeException what the first try threw, but for {@link LeaseUnavailableException}
     */
    static LeaseEngine now(Supplier<LeaseEngine> build) {
        try {
            return build.get();
        } catch (LeaseUnavailableException e) {
            LOG.warn(
                    "starting without the database, which is tried again every {} s: {}",
                    PAUSE.toSeconds(),
                    e.getMessage());
            LateEngine late = new LateEngine(build, e);
            Thread thread = new Thread(late::buildLater, "leasehold-late-engine");
            thread.setDaemon(true);
            thread.start();
            return (LeaseEngine) Proxy.newProxyInstance(
                    LeaseEngine.class.getClassLoader(), new Class<?>[] {LeaseEngine.class}, late);
        }
    }

    /**
     * Gives an engine to an action as soon as there is one.
     *
     * @param engine any
     * @param action runs at once if the engine is not late, or not any more
     */
    static void whenReady(LeaseEngine engine, Consumer<LeaseEngine> action) {
        if (Proxy.isProxyClass(engine.getClass()) && Proxy.getInvocationHandler(engine) instanceof LateEngine late) {
            late.whenReady(action);
        } else {
            action.accept(engine);
        }
    }

    private void whenReady(Consumer<LeaseEngine> action) {
        LeaseEngine ready;
        lock.lock();
        try {
            ready = engine;
            if (ready == null) {
                waiting.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.accept(ready);
    }

    private void buildLater() {
        while (pause()) {
            try {
                LeaseEngine built = build.get();
                if (!publish(built)) {
                    built.close();
                }
                return;
            } catch (LeaseUnavailableException e) {
                failure = e;
            } catch (RuntimeException e) {
                failure = e;
                hasFailed = true;
                LOG.error("there will be no lease engine: restart the application when this is mended", e);
                return;
            }
        }
    }

    /** {@return false once closed} */
    private boolean pause() {
        lock.lock();
        try {
            long nanos = PAUSE.toNanos();
            while (!isClosed && nanos > 0) {
                nanos = closing.awaitNanos(nanos);
            }
            return !isClosed;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean publish(LeaseEngine built) {
        List<Consumer<LeaseEngine>> actions;
        lock.lock();
        try {
            if (isClosed) {
                return false;
            }
            engine = built;
            actions = List.copyOf(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        LOG.info("the database is there: leases of namespace '{}' can be acquired", built.namespace());
        for (Consumer<LeaseEngine> action : actions) {
            try {
                action.accept(built);
            } catch (RuntimeException e) {
                LOG.error("what waited for the lease engine failed", e);
            }
        }
        return true;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        LeaseEngine ready = engine;
        if (method.getName().startsWith("close")) {
            ready = close();
            if (ready == null) {
                return null;
            }
        }
        if (ready == null) {
            if (method.getName().equals("health")) {
                return new EngineHealth(false, !isClosed && !hasFailed, String.valueOf(failure.getMessage()), 0, 0);
            }
            throw new LeaseUnavailableException(
                    "the application was started without its database, which is not there yet: " + failure.getMessage(),
                    failure);
        }
        try {
            return method.invoke(ready, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private @Nullable LeaseEngine close() {
        lock.lock();
        try {
            isClosed = true;
            closing.signalAll();
            return engine;
        } finally {
            lock.unlock();
        }
    }

    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && arguments[0] == proxy;
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "late engine, " + (engine == null ? "without its database yet" : engine);
        };
    }
}
