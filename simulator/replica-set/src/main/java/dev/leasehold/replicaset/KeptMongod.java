package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The {@code mongod} that {@link PipWheelSource} fetched on an earlier run. It gets its name only when it is complete, so
 * that whatever has this name is whole.
 */
final class KeptMongod implements MongodSource {

    private final Path file;
    private final VersionCheck check;

    KeptMongod(HostEnvironment hostEnvironment, VersionCheck check) {
        this.file = hostEnvironment
                .cacheFolder()
                .resolve("mongod-" + Wheel.MONGOD_VERSION)
                .resolve("mongod");
        this.check = check;
    }

    Path file() {
        return file;
    }

    @Override
    public String name() {
        return "mongod kept in the cache";
    }

    @Override
    public StartAttempt attempt(ReplicaSetSettings settings) {
        if (!Files.isExecutable(file)) {
            return new NotFound("there is no " + file);
        }
        try {
            return new Found(
                    new Server.Binary(file), "mongod %s kept in the cache: %s".formatted(check.versionOf(file), file));
        } catch (IOException e) {
            return new NotFound("does not run: " + e.getMessage());
        }
    }
}
