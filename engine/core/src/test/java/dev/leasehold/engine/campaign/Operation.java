package dev.leasehold.engine.campaign;

/** What a process may ask for. */
enum Operation {
    CLAIM,
    TAKE_OVER,
    EXTEND,
    RELEASE,
    EXPIRE,
    /** A transaction of the application that asserts a tenure. */
    GATE;

    boolean beginsTenure() {
        return this == CLAIM || this == TAKE_OVER;
    }

    boolean makesVacant() {
        return this == RELEASE || this == EXPIRE;
    }
}
