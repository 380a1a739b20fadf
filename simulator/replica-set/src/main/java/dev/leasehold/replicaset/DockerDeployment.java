package dev.leasehold.replicaset;

import java.io.IOException;
import java.util.List;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.images.RemoteDockerImage;
import org.testcontainers.mongodb.MongoDBContainer;
import org.testcontainers.utility.DockerImageName;

/** One node in a container. The engine's own clean-up removes the container when this JVM is killed. */
final class DockerDeployment implements Deployment {

    static final String IMAGE = "mongo:6.0";

    private final ContainerNode node;

    private DockerDeployment(ContainerNode node) {
        this.node = node;
    }

    static void fetchImage() throws IOException {
        try {
            new RemoteDockerImage(DockerImageName.parse(IMAGE)).get();
        } catch (IllegalStateException | ContainerFetchException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    static DockerDeployment start() {
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
        return new DockerDeployment(new ContainerNode(container));
    }

    @Override
    public String uri() {
        // Direct, because the name by which the set knows its node means nothing outside the container.
        return "mongodb://%s/?directConnection=true".formatted(node.address());
    }

    @Override
    public List<ContainerNode> nodes() {
        return List.of(node);
    }

    @Override
    public void revive() {
        node.revive();
    }

    @Override
    public void close() {
        node.close();
    }
}
