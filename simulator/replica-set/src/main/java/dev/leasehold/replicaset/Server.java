package dev.leasehold.replicaset;

import java.nio.file.Path;

/** What a search found: something that a replica set can be made of. */
sealed interface Server {

    /** A replica set that was not started here. */
    record Existing(String uri) implements Server {}

    /** A {@code mongod} that runs on this machine. */
    record Binary(Path mongod) implements Server {}

    /** A Docker engine that answers. */
    record Docker() implements Server {}
}
