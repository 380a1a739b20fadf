package dev.leasehold.bench.process;

import com.sun.management.OperatingSystemMXBean;
import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.ProcessCost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What this process uses. */
final class CostMeter {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    /** Linux has a folder for each thread there. */
    private static final Path THREADS = Path.of("/proc/self/task");

    private static final String NAME = "Name:";
    private static final String WAITS = "voluntary_ctxt_switches:";
    /** Linux keeps that much of a thread's name. */
    private static final int NAME_LENGTH = 15;

    /** Looked up once: that takes long enough for a caller's thread to be gone at the end. */
    private final Set<String> names = namesOfJavaThreads();

    private final long processorNanosBefore = SYSTEM.getProcessCpuTime();
    private final Map<String, Long> waitsBefore = waitsByThread(names);

    /** Measures from now on. */
    CostMeter() {}

    /** Waits for the beginning and the end of a turn, and returns what this process has used between them. */
    static ProcessCost during(Turn turn) throws InterruptedException {
        sleepUntil(turn.startNanos());
        CostMeter meter = new CostMeter();
        sleepUntil(turn.endNanos());
        return meter.cost();
    }

    /** {@return what this process has used so far} */
    ProcessCost cost() {
        return new ProcessCost(SYSTEM.getProcessCpuTime() - processorNanosBefore, waits());
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos - System.nanoTime()));
    }

    private long waits() {
        Map<String, Long> now = waitsByThread(names);
        return now.isEmpty()
                ? ProcessCost.UNKNOWN
                : now.entrySet().stream()
                        .mapToLong(thread -> thread.getValue() - waitsBefore.getOrDefault(thread.getKey(), 0L))
                        .sum();
    }

    /**
     * One by one, since the waits of a thread that ends in the turn are forgotten. Not those of the JVM's own threads, which compile and keep
     * time, and wait the more often the longer a pair takes. Empty where the system does not tell them.
     */
    private static Map<String, Long> waitsByThread(Set<String> names) {
        Map<String, Long> waits = new HashMap<>();
        if (Files.isDirectory(THREADS)) {
            try (Stream<Path> threads = Files.list(THREADS)) {
                threads.forEach(thread -> putWaits(thread, names, waits));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return waits;
    }

    private static Set<String> namesOfJavaThreads() {
        Stream<String> names = Thread.getAllStackTraces().keySet().stream().map(Thread::getName);
        // The first thread has the name of the program.
        return Stream.concat(
                        names,
                        ProcessHandle.current().info().command().stream()
                                .map(command -> Path.of(command).getFileName().toString()))
                .map(name -> name.substring(0, Math.min(name.length(), NAME_LENGTH)))
                .collect(Collectors.toSet());
    }

    private static void putWaits(Path thread, Set<String> names, Map<String, Long> waits) {
        try {
            List<String> status = Files.readAllLines(thread.resolve("status"));
            if (names.contains(field(status, NAME))) {
                waits.put(thread.getFileName().toString(), Long.parseLong(field(status, WAITS)));
            }
        } catch (IOException e) {
            // It has ended meanwhile.
        }
    }

    private static String field(List<String> status, String name) throws IOException {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("no " + name));
    }
}
