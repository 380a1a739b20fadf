package dev.leasehold.replicaset;

import dev.leasehold.replicaset.Attempt.Found;
import dev.leasehold.replicaset.Attempt.NotFound;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** The first {@code mongod} on the PATH. */
final class MongodOnPath implements Way {

    private final Surroundings surroundings;
    private final VersionCheck check;

    MongodOnPath(Surroundings surroundings, VersionCheck check) {
        this.surroundings = surroundings;
        this.check = check;
    }

    @Override
    public String name() {
        return "mongod on the PATH";
    }

    @Override
    public Attempt attempt(ReplicaSetSettings settings) {
        return onPath().map(this::checked).orElseGet(() -> new NotFound("none there"));
    }

    private Attempt checked(Path mongod) {
        try {
            String version = check.versionOf(mongod);
            return new Found(new Server.Binary(mongod), "mongod %s on the PATH: %s".formatted(version, mongod));
        } catch (IOException e) {
            return new NotFound("%s does not run: %s".formatted(mongod, e.getMessage()));
        }
    }

    private Optional<Path> onPath() {
        return surroundings.variable("PATH").stream()
                .flatMap(path -> Arrays.stream(path.split(Pattern.quote(File.pathSeparator))))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder).toAbsolutePath().resolve("mongod"))
                .filter(Files::isExecutable)
                .filter(Files::isRegularFile)
                .findFirst();
    }
}
