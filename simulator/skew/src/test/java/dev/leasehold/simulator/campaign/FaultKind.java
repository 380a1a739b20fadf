package dev.leasehold.simulator.campaign;

import java.util.List;

/** What can go wrong in a campaign. */
enum FaultKind {
    STEP_DOWN,
    KILL_PRIMARY,
    PAUSE_NODE,
    CUT_NETWORK,
    PAUSE_PROCESS,
    KILL_PROCESS;

    /** Those of the servers happen one after the other, so that two nodes are there in between. */
    static final List<FaultKind> OF_SERVERS = List.of(STEP_DOWN, KILL_PRIMARY, PAUSE_NODE);

    /** Those of the processes and their networks happen at the same time as those of the servers. */
    static final List<FaultKind> OF_PROCESSES = List.of(CUT_NETWORK, PAUSE_PROCESS, KILL_PROCESS);
}
