package dev.leasehold.bench.measure;

/** On whose side an entrant is, in the order in which they are shown. */
public enum Role {
    /** This project. */
    OURS,
    /** What one would use instead, with the same durability: acknowledged by a majority of three nodes. */
    PEER,
    /** What one would use instead, with one node, which loses locks when it is lost. */
    ONE_NODE_PEER,
    /** The driver alone: what the database allows. */
    BARE;

    /** {@return whether it is what one would use instead} */
    public boolean isPeer() {
        return this == PEER || this == ONE_NODE_PEER;
    }
}
