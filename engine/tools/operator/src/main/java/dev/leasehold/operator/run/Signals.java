package dev.leasehold.operator.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The signals by which users and service managers end a process. The JDK has them in a class that its compiler warns of on every use, and
 * there is no other way to tell an interrupt from a termination; so it is called by reflection.
 */
public final class Signals {

    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    private Signals() {}

    /**
     * From now on this process does not end by these signals. One that was ignored when this process began, as by nohup, stays so.
     *
     * @param handler gets the name of each without SIG, on a thread of its own
     */
    public static void handle(Consumer<String> handler) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object ignored = handlerType.getField("SIG_IGN").get(null);
            for (String name : List.of("INT", "TERM", "HUP")) {
                Object signal = signalType.getConstructor(String.class).newInstance(name);
                Object passesOn = Proxy.newProxyInstance(
                        Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                            handler.accept(name);
                            return null;
                        });
                var set = signalType.getMethod("handle", signalType, handlerType);
                if (set.invoke(null, signal, passesOn) == ignored) {
                    set.invoke(null, signal, ignored);
                }
            }
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("this JVM does not let signals be handled: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no signals", e);
        }
    }

    /** {@return the exit code of a process that ended by one of them} */
    public static int exitCode(String name) {
        Integer number = NUMBERS.get(name);
        if (number == null) {
            throw new IllegalArgumentException("'" + name + "' is not one of " + NUMBERS.keySet());
        }
        return 128 + number;
    }
}
