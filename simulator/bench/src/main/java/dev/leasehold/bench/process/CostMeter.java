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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What this process uses. */
final class CostMeter {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    /** Linux has a folder for each thread there. */
    private static final Path THREADS = Path.of("/proc/self/task");

    private static final String WAITS = "voluntary_ctxt_switches:";

    private CostMeter() {}

    /** Waits for the beginning and the end of a turn, and returns what this process has used between them. */
    static ProcessCost during(Turn turn) throws InterruptedException {
        sleepUntil(turn.startNanos());
        long processorNanos = SYSTEM.getProcessCpuTime();
        Map<String, Long> waits = waitsByThread();
        sleepUntil(turn.endNanos());
        return new ProcessCost(SYSTEM.getProcessCpuTime() - processorNanos, waitsSince(waits));
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos - System.nanoTime()));
    }

    private static long waitsSince(Map<String, Long> before) {
        Map<String, Long> now = waitsByThread();
        return now.isEmpty()
                ? ProcessCost.UNKNOWN
                : now.entrySet().stream()
                        .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                        .sum();
    }

    /** One by one, since the waits of a thread that ends in the turn are forgotten; empty where the system does not tell them. */
    private static Map<String, Long> waitsByThread() {
        Map<String, Long> waits = new HashMap<>();
        if (Files.isDirectory(THREADS)) {
            try (Stream<Path> threads = Files.list(THREADS)) {
                threads.forEach(thread -> putWaits(thread, waits));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return waits;
    }

    private static void putWaits(Path thread, Map<String, Long> waits) {
        try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
            lines.filter(line -> line.startsWith(WAITS))
                    .forEach(line -> waits.put(
                            thread.getFileName().toString(),
                            Long.parseLong(line.substring(WAITS.length()).strip())));
        } catch (IOException | UncheckedIOException e) {
            // It has ended meanwhile.
        }
    }
}
