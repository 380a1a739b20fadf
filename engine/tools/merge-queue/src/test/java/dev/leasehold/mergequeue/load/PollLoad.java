package dev.leasehold.mergequeue.load;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.mergequeue.cli.Service;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfigurationReader;
import dev.leasehold.mergequeue.http.RunningService;
import dev.leasehold.mergequeue.replica.ReplicaSettings;
import dev.leasehold.replicaset.ReplicaSet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * How long a poll takes with a thousand waiters that poll each second. Callers, service and database share the machine. A poll is counted
 * from when it was due, so that one which could not be sent in time does not look fast. Run by hand, after an install of the module:
 *
 * <pre>
 * mvn -q -pl engine/tools/merge-queue exec:java -Dexec.skip=false -Dexec.classpathScope=test -Dexec.cleanupDaemonThreads=false \
 *     -Dexec.mainClass=dev.leasehold.mergequeue.load.PollLoad -Dwaiters=1000
 * </pre>
 */
public final class PollLoad {

    private static final String YAML = """
            providers:
              - {owner: acme, repo: shop, base-ref: main, expected-requests: 1000000, stabilization-window: 1d}
            """;
    private static final int WAITERS = Integer.getInteger("waiters", 1_000);
    private static final long WARM_UP_SECONDS = 25;
    private static final long MEASURED_SECONDS = Long.getLong("seconds", 40);
    /** A thousand that come at once would meet a service that is not compiled yet. */
    private static final long RAMP_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Histogram micros = new ConcurrentHistogram(3);
    private final AtomicLong failures = new AtomicLong();
    private final AtomicBoolean measuring = new AtomicBoolean();
    /** Callers must not take the processors away from what is measured: by itself the client starts a thread for each answer. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newFixedThreadPool(2, task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            }))
            .build();

    private PollLoad() {}

    /**
     * Measures, and prints what it found.
     *
     * @param arguments none
     * @throws Exception if it was interrupted
     */
    public static void main(String[] arguments) throws Exception {
        int port = RunningService.freePort();
        URI address = URI.create("http://127.0.0.1:" + port);
        Configuration configuration = new ConfigurationReader(Map.of()).read(YAML);
        ReplicaSettings settings = new ReplicaSettings("poll_load", address, Duration.ofSeconds(15));
        try (ReplicaSet set = ReplicaSet.start(1);
                MongoClient client = MongoClients.create(set.uri());
                Service service = Service.start(client, configuration, settings, "127.0.0.1", port)) {
            new PollLoad().measure(address);
            System.out.println("ended " + service);
        }
    }

    private void measure(URI address) throws InterruptedException {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        URI acquire = URI.create(address + "/acme/shop/main/acquire");
        long startNanos = System.nanoTime();
        for (int waiter = 0; waiter < WAITERS; waiter++) {
            HttpRequest request = request(acquire, waiter);
            long firstNanos = RAMP_NANOS * waiter / WAITERS;
            AtomicLong dueNanos = new AtomicLong(startNanos + firstNanos);
            timer.scheduleAtFixedRate(
                    () -> poll(request, dueNanos.getAndAdd(PERIOD_NANOS)),
                    firstNanos,
                    PERIOD_NANOS,
                    TimeUnit.NANOSECONDS);
        }
        TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        measuring.set(true);
        TimeUnit.SECONDS.sleep(MEASURED_SECONDS);
        measuring.set(false);
        timer.shutdownNow();
        print();
    }

    private static HttpRequest request(URI acquire, int waiter) {
        String body = String.format(
                Locale.ROOT,
                "{\"head_sha\": \"run-%d\", \"head_ref\": \"queue/pr-%d\", \"priority\": %d}",
                waiter,
                waiter,
                1 + waiter % 20);
        return HttpRequest.newBuilder(acquire)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private void poll(HttpRequest request, long dueNanos) {
        client.sendAsync(request, BodyHandlers.discarding()).whenComplete((response, failure) -> {
            if (!measuring.get()) {
                return;
            }
            if (failure != null || response.statusCode() != 200) {
                failures.incrementAndGet();
            }
            micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - dueNanos));
        });
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%d waiters, %d polls in %d s, %d failed%n",
                WAITERS,
                micros.getTotalCount(),
                MEASURED_SECONDS,
                failures.get());
        for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
            System.out.printf(
                    Locale.ROOT, "p%s: %.1f ms%n", percentile, micros.getValueAtPercentile(percentile) / 1_000.0);
        }
    }
}
