package dev.leasehold.engine;

import java.util.Optional;

/** What an attempt to acquire a lease answers: both are certain. */
public sealed interface Acquisition {

    /** {@return the lease, if it was acquired} */
    Optional<Lease> asOptional();

    /**
     * The lease, for callers to whom a no is a failure.
     *
     * @return the lease
     * @throws LeaseRefusedException if it was not acquired; it has no stack trace
     */
    Lease orElseThrow();

    /**
     * It is held from now on.
     *
     * @param lease held from now on; to be closed by whoever acquired it
     */
    record Acquired(Lease lease) implements Acquisition {
        @Override
        public Optional<Lease> asOptional() {
            return Optional.of(lease);
        }

        @Override
        public Lease orElseThrow() {
            return lease;
        }
    }

    /**
     * It is not held, and will not come to be held through this attempt.
     *
     * @param refusal why not, and how the lease stands: held by whom, since when, and until when at the latest
     */
    record NotAcquired(Refusal refusal) implements Acquisition {
        @Override
        public Optional<Lease> asOptional() {
            return Optional.empty();
        }

        @Override
        public Lease orElseThrow() {
            throw new LeaseRefusedException(refusal);
        }
    }
}
