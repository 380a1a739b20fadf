package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code mongod --version}: this also finds missing shared libraries. */
final class MongodVersion {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern VERSION = Pattern.compile("db version v(\\S+)");

    private MongodVersion() {}

    /** As {@link InstalledMongod.VersionCheck}. */
    static String of(Path mongod) throws IOException {
        ToolRun run = ToolRun.of(List.of(mongod.toString(), "--version"), LIMIT, () -> {});
        Matcher version = VERSION.matcher(run.output());
        if (run.exitCode() != 0 || !version.find()) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "'%s --version' ended with code %d and said: %s",
                    mongod,
                    run.exitCode(),
                    run.output().strip()));
        }
        return version.group(1);
    }
}
