package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A {@code mongod} that is on this machine already.
 *
 * @param place completes the sentence "mongod 6.0.5 ..."
 * @param file looked up by each attempt; empty if there is none, for which {@code absence} is the reason
 * @param required whether it is an error if the file does not run, because the user named it
 */
record InstalledMongod(
        String name, String place, Supplier<Optional<Path>> file, String absence, boolean required, VersionCheck check)
        implements MongodSource {

    static final String VARIABLE = "LEASEHOLD_MONGOD";

    /** Says whether a {@code mongod} runs on this machine. */
    interface VersionCheck {

        /**
         * The version of a {@code mongod}, such as {@code 6.0.5}.
         *
         * @throws IOException if it does not run here; the message says how it failed
         */
        String versionOf(Path mongod) throws IOException;
    }

    /** The one that the user named. */
    static InstalledMongod configured(HostEnvironment hostEnvironment, VersionCheck check) {
        Supplier<Optional<Path>> file = () -> hostEnvironment
                .variable(VARIABLE)
                .map(value -> HostEnvironment.path(value)
                        .orElseThrow(() -> new ReplicaSetUnavailableException(
                                "%s names %s, which is no path in the locale of this JVM".formatted(VARIABLE, value)))
                        .toAbsolutePath());
        return new InstalledMongod(VARIABLE, "named by " + VARIABLE, file, "not set (path of a mongod)", true, check);
    }

    /** The first one on the PATH. */
    static InstalledMongod onPath(HostEnvironment hostEnvironment, VersionCheck check) {
        Supplier<Optional<Path>> file = () -> hostEnvironment.variable("PATH").stream()
                .flatMap(path -> Arrays.stream(path.split(Pattern.quote(File.pathSeparator))))
                .filter(folder -> !folder.isBlank())
                .flatMap(folder -> HostEnvironment.path(folder).stream())
                .map(folder -> folder.toAbsolutePath().resolve("mongod"))
                .filter(Files::isExecutable)
                .filter(Files::isRegularFile)
                .findFirst();
        return new InstalledMongod("mongod on the PATH", "on the PATH", file, "none there", false, check);
    }

    /** The one that {@link PipWheelSource} fetched on an earlier run. */
    static InstalledMongod kept(HostEnvironment hostEnvironment, VersionCheck check) {
        Path kept = keptFile(hostEnvironment);
        return new InstalledMongod(
                "mongod kept in the cache",
                "kept in the cache",
                () -> Optional.of(kept).filter(Path::isAbsolute).filter(Files::isExecutable),
                "there is no " + kept,
                false,
                check);
    }

    /** Where a fetched one is kept. It gets this name only when it is complete, so that whatever has the name is whole. */
    static Path keptFile(HostEnvironment hostEnvironment) {
        return hostEnvironment
                .cacheFolder()
                .resolve("mongod-" + Wheel.MONGOD_VERSION)
                .resolve("mongod");
    }

    @Override
    public StartAttempt attempt(ReplicaSetSettings settings) {
        return file.get().map(this::checked).orElseGet(() -> new NotFound(absence));
    }

    private StartAttempt checked(Path mongod) {
        try {
            if (!Files.isRegularFile(mongod)) {
                throw new IOException("it is not a file");
            }
            String version = check.versionOf(mongod);
            return new Found(new Server.Binary(mongod), "mongod %s %s: %s".formatted(version, place, mongod));
        } catch (IOException e) {
            String reason = "%s does not run: %s".formatted(mongod, StartAttempt.textOf(e));
            if (required) {
                throw new ReplicaSetUnavailableException("%s names %s".formatted(name, reason), e);
            }
            return new NotFound(reason);
        }
    }
}
