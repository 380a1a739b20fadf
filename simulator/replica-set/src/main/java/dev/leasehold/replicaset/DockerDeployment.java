package dev.leasehold.replicaset;

import java.io.IOException;
import java.util.List;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.images.RemoteDockerImage;
import org.testcontainers.mongodb.MongoDBContainer;
import org.testcontainers.utility.DockerImageName;

/** Starts one node in a container. The engine's own clean-up removes the container when this JVM is killed. */
final class DockerDeployment {

    static final String IMAGE = "mongo:6.0";

    private DockerDeployment() {}

    static void fetchImage() throws IOException {
        try {
            new RemoteDockerImage(DockerImageName.parse(IMAGE)).get();
        } catch (IllegalStateException | ContainerFetchException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    static Deployment start() {
        MongoDBContainer container = new MongoDBContainer(IMAGE)
                .withReplicaSet()
                // After withReplicaSet(), whose own command knows no test commands.
                .withCommand("--replSet", "docker-rs", "--setParameter", "enableTestCommands=1");
        try {
            container.start();
        } catch (ContainerLaunchException e) {
            throw new ReplicaSetUnavailableException(
                    "container of %s does not start: %s".formatted(IMAGE, e.getMessage()), e);
        }
        ContainerNode node = new ContainerNode(container);
        // Direct, because the name by which the set knows its node means nothing outside the container.
        return new Deployment("mongodb://%s/?directConnection=true".formatted(node.address()), List.of(node), () -> {});
    }
}
