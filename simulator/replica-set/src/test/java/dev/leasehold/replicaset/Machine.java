package dev.leasehold.replicaset;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

/** An invented machine: an empty home, an empty PATH, no Docker engine. Its servers are names without content. */
final class Machine {

    final Path home;
    final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private String osName = "Linux";

    Machine(Path home) {
        this.home = home;
        environment.put("PATH", home.resolve("bin").toString());
        environment.put("DOCKER_HOST", "unix://" + home.resolve("no-docker.sock"));
    }

    Machine of(String otherOsName) {
        osName = otherOsName;
        return this;
    }

    HostEnvironment hostEnvironment() {
        return new HostEnvironment(
                environment, osName, "amd64", home, new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    String said() {
        return log.toString(StandardCharsets.UTF_8);
    }

    Path mongodAt(String place) throws IOException {
        Path file = home.resolve(place);
        Files.createDirectories(file.getParent());
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        return file;
    }
}
