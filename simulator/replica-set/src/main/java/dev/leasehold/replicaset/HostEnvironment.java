package dev.leasehold.replicaset;

import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the search for a server may look at: nothing else of this machine decides it. */
record HostEnvironment(Map<String, String> environment, String osName, String osArch, Path home, PrintStream log) {

    static HostEnvironment ofThisJvm() {
        return new HostEnvironment(
                System.getenv(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                path(System.getProperty("user.home")).orElse(Path.of("")),
                System.err);
    }

    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** Empty for a text that is none: names with letters that the locale of this JVM has not cannot be used. */
    static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    Path cacheFolder() {
        return variable("XDG_CACHE_HOME")
                .flatMap(HostEnvironment::path)
                .filter(Path::isAbsolute)
                .orElseGet(() -> home.resolve(isMac() ? "Library/Caches" : ".cache"))
                .resolve("leasehold");
    }

    boolean isLinuxOnX64() {
        return osName.equals("Linux") && (osArch.equals("amd64") || osArch.equals("x86_64"));
    }

    void say(String line) {
        log.println("leasehold: " + line);
    }

    private boolean isMac() {
        return osName.toLowerCase(Locale.ROOT).startsWith("mac");
    }
}
