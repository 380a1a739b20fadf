package dev.leasehold.replicaset;

import dev.leasehold.replicaset.Attempt.Found;
import dev.leasehold.replicaset.Attempt.NotFound;

/** A container, if there is an engine for it. */
final class DockerWay implements Way {

    private final DockerEngine engine;

    DockerWay(DockerEngine engine) {
        this.engine = engine;
    }

    @Override
    public String name() {
        return "Docker";
    }

    @Override
    public Attempt attempt(int nodes) {
        if (nodes > 1) {
            return new NotFound("gives one node, not " + nodes);
        }
        return engine.absence()
                .<Attempt>map(NotFound::new)
                .orElseGet(() -> new Found(new Server.Docker(), "a container of " + DockerDeployment.IMAGE));
    }
}
