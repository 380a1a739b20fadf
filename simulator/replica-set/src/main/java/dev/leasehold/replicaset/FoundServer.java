package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** What the search found in this JVM: it is made once for the same settings, and its result said once. */
final class FoundServer {

    private static final ReentrantLock SEARCHING = new ReentrantLock();
    private static final Map<ReplicaSetSettings, Found> BY_SETTINGS = new HashMap<>();
    private static final Set<String> SAID = new HashSet<>();

    private FoundServer() {}

    static Server of(ReplicaSetSettings settings) {
        SEARCHING.lock();
        try {
            return BY_SETTINGS.computeIfAbsent(settings, FoundServer::search).server();
        } finally {
            SEARCHING.unlock();
        }
    }

    private static Found search(ReplicaSetSettings settings) {
        HostEnvironment hostEnvironment = HostEnvironment.ofThisJvm();
        Found found = Search.in(hostEnvironment).find(settings);
        if (SAID.add(found.said())) {
            hostEnvironment.say("using " + found.said());
        }
        return found;
    }
}
