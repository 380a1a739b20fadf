package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Path;

/** Says whether a {@code mongod} runs on this machine. */
interface VersionCheck {

    /**
     * The version of a {@code mongod}, such as {@code 6.0.5}.
     *
     * @throws IOException if it does not run here; the message says how it failed
     */
    String versionOf(Path mongod) throws IOException;
}
