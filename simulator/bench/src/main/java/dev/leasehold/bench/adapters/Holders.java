package dev.leasehold.bench.adapters;

import java.time.Duration;

/** A library that keeps many locks held, until it is closed. */
public interface Holders extends AutoCloseable {

    /** Acquires so many locks. */
    void hold(int locks) throws Exception;

    @Override
    void close();

    /** {@return leases kept by one session} */
    static Holders ofSessions(Access access, Duration length) {
        return new SessionHolders(access, length);
    }

    /** {@return locks that ShedLock extends} */
    static Holders ofShedLock(Access access, Duration length) {
        return new ShedHolders(access, length);
    }

    /** {@return fenced locks that their manager confirms} */
    static Holders ofFencedLock(Access access, Duration length) {
        return new FencedHolders(access, length);
    }
}
