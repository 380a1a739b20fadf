package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The {@code mongod} that the user named. */
final class ConfiguredMongod implements MongodSource {

    static final String VARIABLE = "LEASEHOLD_MONGOD";

    private final HostEnvironment hostEnvironment;
    private final VersionCheck check;

    ConfiguredMongod(HostEnvironment hostEnvironment, VersionCheck check) {
        this.hostEnvironment = hostEnvironment;
        this.check = check;
    }

    @Override
    public String name() {
        return VARIABLE;
    }

    @Override
    public StartAttempt attempt(ReplicaSetSettings settings) {
        return hostEnvironment
                .variable(VARIABLE)
                .<StartAttempt>map(value -> found(Path.of(value).toAbsolutePath()))
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
