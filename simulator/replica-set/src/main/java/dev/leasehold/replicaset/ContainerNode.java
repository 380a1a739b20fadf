package dev.leasehold.replicaset;

import com.github.dockerjava.api.DockerClient;
import org.testcontainers.mongodb.MongoDBContainer;

/** A node in a container. It cannot come back from its end: a container that starts again gets another port. */
final class ContainerNode extends Node {

    private final MongoDBContainer container;
    private volatile boolean paused;

    ContainerNode(MongoDBContainer container) {
        super(0, address(container), NodeConnection.to(address(container)));
        this.container = container;
    }

    private static String address(MongoDBContainer container) {
        return container.getHost() + ":" + container.getFirstMappedPort();
    }

    @Override
    void revive() {
        if (paused) {
            resume();
        } else if (!container.isRunning()) {
            restart();
        }
    }

    @Override
    void close() {
        super.close();
        container.stop();
    }

    @Override
    public boolean isRunning() {
        return !paused && container.isRunning();
    }

    @Override
    public void kill() {
        docker().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void terminate() {
        docker().stopContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void pause() {
        docker().pauseContainerCmd(container.getContainerId()).exec();
        paused = true;
    }

    @Override
    public void resume() {
        docker().unpauseContainerCmd(container.getContainerId()).exec();
        paused = false;
    }

    @Override
    public void restart() {
        throw new UnsupportedOperationException(
                "%s cannot be restarted: its container would get another port".formatted(this));
    }

    @Override
    boolean isAlone() {
        return true;
    }

    private DockerClient docker() {
        return container.getDockerClient();
    }
}
