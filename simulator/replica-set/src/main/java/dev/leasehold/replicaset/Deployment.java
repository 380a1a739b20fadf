package dev.leasehold.replicaset;

import java.util.List;

/** The nodes of a set, and what it takes to begin and end them. */
interface Deployment extends AutoCloseable {

    String uri();

    List<? extends Node> nodes();

    /** Undoes all faults of nodes; returns before they have caught up. */
    void revive();

    @Override
    void close();
}
