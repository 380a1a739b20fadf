package dev.leasehold.replicaset;

import java.util.List;

/**
 * The nodes of a set, and what it takes to end them.
 *
 * @param uri for a client with all rights
 * @param end what is left to do when the nodes have ended
 */
record Deployment(String uri, List<? extends Node> nodes, Runnable end) implements AutoCloseable {

    /** Undoes all faults of nodes; returns before they have caught up. */
    void revive() {
        nodes.forEach(Node::revive);
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        end.run();
    }
}
