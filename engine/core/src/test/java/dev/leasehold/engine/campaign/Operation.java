package dev.leasehold.engine.campaign;

/** What a process may ask for. */
enum Operation {
    CLAIM,
    TAKE_OVER,
    EXTEND,
    RELEASE,
    EXPIRE,
    /** Of a handle, which then keeps itself held. */
    ACQUIRE,
    /** Of a handle. It answers nothing. */
    CLOSE,
    /** A transaction of the application that asserts a tenure. */
    GATE;

    boolean beginsTenure() {
        return this == CLAIM || this == TAKE_OVER || this == ACQUIRE;
    }

    boolean makesVacant() {
        return this == RELEASE || this == EXPIRE;
    }
}
