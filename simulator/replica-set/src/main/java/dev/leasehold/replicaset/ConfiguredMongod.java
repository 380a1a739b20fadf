package dev.leasehold.replicaset;

import dev.leasehold.replicaset.Attempt.Found;
import dev.leasehold.replicaset.Attempt.NotFound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The {@code mongod} that the user named. */
final class ConfiguredMongod implements Way {

    static final String VARIABLE = "LEASEHOLD_MONGOD";

    private final Surroundings surroundings;
    private final VersionCheck check;

    ConfiguredMongod(Surroundings surroundings, VersionCheck check) {
        this.surroundings = surroundings;
        this.check = check;
    }

    @Override
    public String name() {
        return VARIABLE;
    }

    @Override
    public Attempt attempt(ReplicaSetSettings settings) {
        return surroundings
                .variable(VARIABLE)
                .<Attempt>map(value -> found(Path.of(value).toAbsolutePath()))
                .orElseGet(() -> new NotFound("not set (path of a mongod)"));
    }

    private Found found(Path mongod) {
        if (!Files.isRegularFile(mongod)) {
            throw new ReplicaSetUnavailableException("%s names %s, which is not a file".formatted(VARIABLE, mongod));
        }
        try {
            String version = check.versionOf(mongod);
            return new Found(
                    new Server.Binary(mongod), "mongod %s named by %s: %s".formatted(version, VARIABLE, mongod));
        } catch (IOException e) {
            throw new ReplicaSetUnavailableException(
                    "%s names %s, which does not run: %s".formatted(VARIABLE, mongod, e.getMessage()), e);
        }
    }
}
