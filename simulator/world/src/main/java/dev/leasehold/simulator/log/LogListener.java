package dev.leasehold.simulator.log;

import java.util.function.Consumer;

/** Hears of the exceptions that are logged as warnings or errors on some threads, of which one runs at a time. */
public final class LogListener {

    private static final ThreadLocal<LogListener> OF_THREAD = ThreadLocal.withInitial(LogListener::new);
    private static final Consumer<Throwable> NONE = thrown -> {};

    private Consumer<Throwable> listener = NONE;

    /** From now on it hears what is logged on this thread. */
    public void attachToThread() {
        OF_THREAD.set(this);
    }

    /** Only this one is told from now on. */
    public void listener(Consumer<Throwable> next) {
        listener = next;
    }

    public void clear() {
        listener = NONE;
    }

    /** Tells what listens on this thread. */
    public static void tell(Throwable logged) {
        OF_THREAD.get().listener.accept(logged);
    }
}
