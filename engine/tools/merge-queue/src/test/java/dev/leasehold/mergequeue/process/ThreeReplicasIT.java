package dev.leasehold.mergequeue.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.mergequeue.http.Caller;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three replicas as processes, fifty runs, and a fault after the other; judged by what the runs were told. */
class ThreeReplicasIT {

    private static final int RUNS = 50;
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final long STORY_LIMIT_SECONDS = 180;
    private static final Map<String, String> QUIET = Map.of("LEASEHOLD_ACCESS_LOG_LEVEL", "OFF");
    private static final String YAML = """
            providers:
              - owner: acme
                repo: shop
                base-ref: main
                stabilization-window: 1s
                request-ttl: 10m
                expected-requests: 50
            """;

    @TempDir
    private Path folder;

    private final List<ReplicaProcess> replicas = new CopyOnWriteArrayList<>();
    private final List<Future<String>> runs = new ArrayList<>();
    private final ResourceObserver resource = new ResourceObserver();
    /** How many may end their work; so the story goes on while a run holds. */
    private final Semaphore permits = new Semaphore(0);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private List<String> options;
    private Path config;

    @AfterEach
    void close() {
        threads.shutdownNow();
        replicas.forEach(ReplicaProcess::close);
    }

    @Test
    @WithOwnReplicaSet
    @DisplayName(
            "PM-8, PM-13, PM-16, PM-20: one is acquired at a time, none works twice, and all are told, whatever dies")
    void oneAtATimeWhateverDies(ReplicaSet set, TestDatabase database) throws Exception {
        config = Files.writeString(folder.resolve("config.yaml"), YAML);
        options = List.of("--mongodb-uri", database.uri(), "--session-length", "8s");
        for (int replica = 0; replica < 3; replica++) {
            replicas.add(ReplicaProcess.start(folder, config, options, QUIET));
        }
        startRuns();

        awaitFurtherUses();
        set.primary().stepDown();
        awaitFurtherUses();
        ReplicaProcess killed = owner();
        killed.kill();
        replicas.remove(killed);
        awaitFurtherUses();
        replicas.add(ReplicaProcess.start(folder, config, killed.port(), options, QUIET));
        ReplicaProcess frozen = owner();
        frozen.freeze();
        awaitFurtherUses();
        assertThat(owner()).isNotSameAs(frozen);
        frozen.thaw();
        awaitFurtherUses();
        permits.release(RUNS);

        List<String> outcomes = new ArrayList<>();
        for (Future<String> run : runs) {
            outcomes.add(run.get(STORY_LIMIT_SECONDS, TimeUnit.SECONDS));
        }
        assertThat(resource.violations()).isEmpty();
        assertThat(outcomes).hasSize(RUNS).contains("success", "failure", "completed");
    }

    /** The highest priorities fail, so that the resource changes hands often; one of the lower ones completes all the rest. */
    private void startRuns() {
        for (int run = 1; run <= RUNS; run++) {
            runs.add(threads.submit(new CiRun("run-" + run, run, run <= RUNS / 2, this::callers, resource, permits)));
        }
    }

    private List<Caller> callers() {
        return replicas.stream().map(ReplicaProcess::caller).toList();
    }

    /** Two runs end their work, and two others come to hold. */
    private void awaitFurtherUses() {
        int uses = resource.uses();
        permits.release(2);
        await().atMost(LIMIT).until(() -> {
            for (Future<String> run : runs) {
                if (run.isDone()) {
                    run.get(); // a run that broke would hold for ever
                }
            }
            return resource.uses() >= uses + 2;
        });
    }

    /** Of which the others say that it serves. */
    private ReplicaProcess owner() {
        return await().atMost(LIMIT).until(this::findOwner, owner -> owner != null);
    }

    private ReplicaProcess findOwner() throws InterruptedException {
        for (ReplicaProcess asked : replicas) {
            try {
                String address = asked.caller()
                        .get("/acme/shop/main")
                        .body()
                        .path("served_by")
                        .asText();
                for (ReplicaProcess replica : replicas) {
                    if (replica.address().toString().equals(address)) {
                        return replica;
                    }
                }
            } catch (IOException e) {
                // dead or frozen; another one may know
            }
        }
        return null;
    }
}
