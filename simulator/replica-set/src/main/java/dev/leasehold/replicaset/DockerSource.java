package dev.leasehold.replicaset;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.io.IOException;

/** A container, if there is an engine for it. */
final class DockerSource implements MongodSource {

    /** Returns when the engine has the image of the server. */
    interface ImageFetch {
        void fetch() throws IOException;
    }

    private final DockerEngine engine;
    private final ImageFetch images;

    DockerSource(DockerEngine engine, ImageFetch images) {
        this.engine = engine;
        this.images = images;
    }

    @Override
    public String name() {
        return "Docker";
    }

    @Override
    public StartAttempt attempt(ReplicaSetSettings settings) {
        if (settings.nodes() > 1) {
            return new NotFound("gives one node, not " + settings.nodes());
        }
        if (settings.needProcesses()) {
            return new NotFound("gives a node as it is, without " + settings.wishes());
        }
        return engine.absence().<StartAttempt>map(NotFound::new).orElseGet(this::withImage);
    }

    private StartAttempt withImage() {
        try {
            images.fetch();
            return new Found(new Server.Docker(), "a container of " + DockerDeployment.IMAGE);
        } catch (IOException e) {
            return new NotFound(
                    "the engine answers, but cannot get %s: %s".formatted(DockerDeployment.IMAGE, e.getMessage()));
        }
    }
}
