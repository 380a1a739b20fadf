package dev.leasehold.simulator.history;

/** States of the database that a batch of histories must have gone through to be worth something, where only the store sees them. */
public final class Marks {

    /** A transaction met another one on a document. */
    public static final String CONFLICT = "CONFLICT";
    /** A write of one document waited behind a transaction. */
    public static final String WAITED = "WAITED";
    /** A guard did not hold. */
    public static final String MISSED = "MISSED";
    /** A first document of a name was there already. */
    public static final String DUPLICATE = "DUPLICATE";
    /** A write below majority was taken back. */
    public static final String ROLLED_BACK = "ROLLED_BACK";
    /** An engine ended a transaction of another engine that was stuck. */
    public static final String RESCUED = "RESCUED";
    /** An engine ended an open transaction that is none of an engine's. */
    public static final String CALLER_ENDED = "CALLER_ENDED";
    /** A request was carried out after its sender had given it up, or was dead. */
    public static final String EXECUTED_LATE = "EXECUTED_LATE";
    /** A commit was sent again after its answer was lost. */
    public static final String COMMIT_REPEATED = "COMMIT_REPEATED";
    /** A transaction was committed in another partition than the first. */
    public static final String FURTHER_PARTITION = "FURTHER_PARTITION";
    /** One transaction carried operations of several callers. */
    public static final String BATCH = "BATCH";

    private Marks() {}
}
