package dev.leasehold.simulator.world;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Virtual threads where the JVM has them, since the baton passes between those ten times as fast; others elsewhere. */
public final class Threads {

    private static final @Nullable Method START_VIRTUAL = startVirtual();

    private Threads() {}

    /**
     * To be called before the first virtual thread of the JVM is made: with more carriers than worlds, idle ones would steal the
     * next thread from the one that is about to run it.
     */
    public static void expectWorlds(int count) {
        System.setProperty("jdk.virtualThreadScheduler.parallelism", Integer.toString(count));
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", Integer.toString(count));
    }

    /** Starts a thread that does not keep the JVM alive. */
    public static Thread start(String name, Runnable body) {
        if (START_VIRTUAL != null) {
            try {
                return (Thread) START_VIRTUAL.invoke(null, body);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException("a virtual thread could not be started", e);
            }
        }
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static @Nullable Method startVirtual() {
        // From 21 on, where a thread that waits inside a monitor would still block its carrier: engine and simulator
        // have none.
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
