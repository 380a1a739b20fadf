package dev.leasehold.simulator.check;

/** What one engine has of a tenure: the handles that it has given out, and what it has said of them. */
final class Share {

    private static final long NEVER = Long.MAX_VALUE;

    private final Life life;
    private int handedOut;
    private long handedOutNanos;
    private int told;
    private int open;
    private int toldAndOpen;
    private long idleNanos;
    private long lostNanos = NEVER;
    private long givenUpNanos = NEVER;

    Share(Life life) {
        this.life = life;
    }

    Life life() {
        return life;
    }

    /** Somebody was given a handle. What was lost before is had again. */
    void handedOut(long atNanos) {
        handedOut++;
        handedOutNanos = atNanos;
        open++;
        lostNanos = NEVER;
    }

    /** When the last handle was given out. */
    long handedOutNanos() {
        return handedOutNanos;
    }

    /** How many handles were ever given out. */
    int handles() {
        return handedOut;
    }

    /** How many have told their holders that the lease is lost. */
    int told() {
        return told;
    }

    /** How many are neither closed nor over, as far as their holders know. */
    int open() {
        return open;
    }

    /** One handle tells that the lease is lost. */
    void tells(long atNanos) {
        told++;
        if (open > 0) {
            closed(atNanos);
            toldAndOpen++;
        }
    }

    /** Whether the close of a handle may be the end of the last one, and so give the tenure up. */
    boolean mayCloseTheLast() {
        return open == 1 || open > 1 && toldAndOpen > 0;
    }

    /** Whether it certainly is: there is no handle beside it that was told of its loss, and not closed since. */
    boolean closesTheLast() {
        return open == 1 && toldAndOpen == 0;
    }

    /** A handle is being closed, one that is not over if that may be. */
    void closes(long atNanos) {
        if (open > 0) {
            closed(atNanos);
        } else {
            toldAndOpen = Math.max(0, toldAndOpen - 1);
        }
    }

    private void closed(long atNanos) {
        open--;
        idleNanos = atNanos;
    }

    /** When the last handle was closed, or told that it is over; MAX_VALUE while there is one. */
    long idleNanos() {
        return open > 0 ? NEVER : idleNanos;
    }

    /** It says, after it believed in it, that it does no more. */
    void lost(long atNanos) {
        lostNanos = Math.min(lostNanos, atNanos);
    }

    /** When it first said so, since a handle was given out last; MAX_VALUE if it did not. */
    long lostNanos() {
        return lostNanos;
    }

    /** It is asked to give it up. */
    void givesUp(long atNanos) {
        givenUpNanos = Math.min(givenUpNanos, atNanos);
    }

    /** When it was first asked for that; MAX_VALUE if it never was. */
    long givenUpNanos() {
        return givenUpNanos;
    }
}
