package dev.leasehold.replicaset;

import java.util.List;

/** Which users may use the nodes of a set that this JVM starts. */
sealed interface Access permits OpenAccess, AuthenticatedAccess {

    /** What the command line of a node has for it. */
    List<String> arguments();

    /** A connection to a node, with all rights. */
    NodeConnection connect(String address);

    /**
     * Where the set is, for a client with all rights.
     *
     * @param servers the addresses, with commas
     */
    String uri(String servers, String setName);

    /** Called once, when the set was just initiated; afterwards the other methods keep what they promise. */
    void establish(String servers, String setName);
}
