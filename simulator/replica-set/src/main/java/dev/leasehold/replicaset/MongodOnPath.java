package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** The first {@code mongod} on the PATH. */
final class MongodOnPath implements MongodSource {

    private final HostEnvironment hostEnvironment;
    private final VersionCheck check;

    MongodOnPath(HostEnvironment hostEnvironment, VersionCheck check) {
        this.hostEnvironment = hostEnvironment;
        this.check = check;
    }

    @Override
    public String name() {
        return "mongod on the PATH";
    }

    @Override
    public StartAttempt attempt(ReplicaSetSettings settings) {
        return onPath().map(this::checked).orElseGet(() -> new NotFound("none there"));
    }

    private StartAttempt checked(Path mongod) {
        try {
            String version = check.versionOf(mongod);
            return new Found(new Server.Binary(mongod), "mongod %s on the PATH: %s".formatted(version, mongod));
        } catch (IOException e) {
            return new NotFound("%s does not run: %s".formatted(mongod, e.getMessage()));
        }
    }

    private Optional<Path> onPath() {
        return hostEnvironment.variable("PATH").stream()
                .flatMap(path -> Arrays.stream(path.split(Pattern.quote(File.pathSeparator))))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder).toAbsolutePath().resolve("mongod"))
                .filter(Files::isExecutable)
                .filter(Files::isRegularFile)
                .findFirst();
    }
}
