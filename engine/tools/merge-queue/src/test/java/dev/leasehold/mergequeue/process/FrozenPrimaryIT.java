package dev.leasehold.mergequeue.process;

import static org.awaitility.Awaitility.await;

import dev.leasehold.mergequeue.http.Caller;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The primary of MongoDB stands still: it refuses nothing, and answers nothing. */
@WithOwnReplicaSet(nodes = 3)
class FrozenPrimaryIT {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String PROVIDER = "acme/shop/main";

    @TempDir
    private Path folder;

    private interface Poll {
        Caller.Reply send() throws IOException, InterruptedException;
    }

    /** Asks again until a request has the status. */
    private static Caller.Reply awaitStatus(String status, Poll poll) {
        return await().atMost(LIMIT)
                .until(
                        () -> answer(poll),
                        reply -> reply != null
                                && reply.status() == 200
                                && reply.requestStatus().equals(status));
    }

    /** Null if there is none in time. */
    private static Caller.Reply answer(Poll poll) throws InterruptedException {
        try {
            return poll.send();
        } catch (IOException e) {
            return null;
        }
    }

    @Test
    @DisplayName(
            "A replica whose URI says nothing of timeouts goes on with the next primary, and its callers are answered")
    void theServiceGoesOn(TestDatabase database) throws Exception {
        Path config = Files.writeString(folder.resolve("config.yaml"), """
                providers:
                  - {owner: acme, repo: shop, base-ref: main, stabilization-window: 0s}
                """);
        List<String> options = List.of("--mongodb-uri", database.uri(), "--session-length", "6s");
        try (ReplicaProcess replica =
                ReplicaProcess.start(folder, config, options, Map.of("LEASEHOLD_ACCESS_LOG_LEVEL", "OFF"))) {
            Caller caller = replica.caller();
            long token = awaitStatus("acquired", () -> caller.acquire(PROVIDER, "first", 1))
                    .token();
            Node frozen = database.set().primary();
            frozen.pause();
            try {
                awaitStatus("completed", () -> caller.release(PROVIDER, "first", "success", token));
                awaitStatus("acquired", () -> caller.acquire(PROVIDER, "second", 1));
            } finally {
                frozen.resume();
            }
        }
    }
}
