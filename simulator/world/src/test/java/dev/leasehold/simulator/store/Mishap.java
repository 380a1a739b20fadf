package dev.leasehold.simulator.store;

/** What can befall a command. */
enum Mishap {
    /** It does not arrive, and the connection is broken. */
    REQUEST_LOST,
    /** It is refused with a passing error, and not carried out. */
    REFUSED,
    /** It is carried out, and answered with a passing error: a majority was late for it. */
    DONE_AND_FAILED,
    /** It is carried out when its sender has given it up. */
    LATE
}
