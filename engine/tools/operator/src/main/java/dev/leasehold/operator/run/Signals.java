package dev.leasehold.operator.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The signals by which users and service managers end a process. The JDK has them in a class that its compiler warns of on every use, and
 * there is no other way to tell an interrupt from a termination; so it is called by reflection.
 */
public final class Signals {

    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    /** Where Linux shows the signals of this process, as bits of a hexadecimal number. */
    private static final Path STATUS = Path.of("/proc/self/status");

    private static final String IGNORED = "SigIgn:";

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

    /**
     * Whether this process was started with a signal ignored, as by nohup, or in the background of a shell: then the processes that it starts ignore
     * it too, and a shell among them cannot even trap it.
     *
     * @param name without SIG, of one of these signals
     * @return false also where the system does not tell
     */
    public static boolean isIgnored(String name) {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(IGNORED))
                    .map(line -> new BigInteger(line.substring(IGNORED.length()).strip(), 16))
                    .anyMatch(mask -> mask.testBit(number(name) - 1));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /** {@return the exit code of a process that ended by one of them} */
    public static int exitCode(String name) {
        return 128 + number(name);
    }

    private static int number(String name) {
        Integer number = NUMBERS.get(name);
        if (number == null) {
            throw new IllegalArgumentException("'" + name + "' is not one of " + NUMBERS.keySet());
        }
        return number;
    }
}
