package dev.leasehold.engine;

import java.util.Optional;

/** The result of an attempt to acquire a lease. Both are certain. */
public sealed interface Acquisition {

    /** {@return the lease, if it was acquired} */
    Optional<Lease> asOptional();

    /**
     * The lease, for callers that treat a refusal as a failure.
     *
     * @return the lease
     * @throws LeaseRefusedException if it was not acquired; it has no stack trace
     */
    Lease orElseThrow();

    /**
     * The lease was acquired.
     *
     * @param lease held from now on; the caller closes it
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
     * The lease was not acquired, and this attempt will not acquire it later.
     *
     * @param refusal why not, and how the lease stands: its holder, since when, and until when at the latest
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
