package dev.leasehold.replicaset;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The one set that all of this JVM share. */
final class SharedReplicaSet {

    private static final ReentrantLock STARTING = new ReentrantLock();
    private static @Nullable ReplicaSet shared;

    private SharedReplicaSet() {}

    static ReplicaSet get() {
        STARTING.lock();
        try {
            if (shared == null || !shared.isOpen()) {
                shared = ReplicaSet.start(1);
            }
            return shared;
        } finally {
            STARTING.unlock();
        }
    }
}
