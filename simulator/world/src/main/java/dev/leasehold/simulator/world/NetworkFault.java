package dev.leasehold.simulator.world;

/** Why an exchange brought no answer. */
public enum NetworkFault {
    /** There was no server to send it to. It was not sent. */
    NOT_SENT,
    /** The server answered with a passing error. Whether it did what was asked cannot be told from that. */
    PASSING_ERROR,
    /** The connection broke, or the client's patience was over. What was asked may have been done, or may be done yet. */
    NO_ANSWER
}
