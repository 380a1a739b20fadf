package dev.leasehold.examples.environments;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** The leases of one process, without a database: for tests, and for a service of a single instance. */
public final class InProcessEnvironments {

    private static final String NAMESPACE = "in-process";

    private final Clock clock;
    private final ConcurrentMap<String, Grant> grants = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();

    /**
     * No environment is in use yet.
     *
     * @param clock by which leases run out, the same for all; not to be set back
     */
    public InProcessEnvironments(Clock clock) {
        this.clock = clock;
    }

    /**
     * The leases as one host in this process takes them.
     *
     * @param host the name of the host
     * @param duration of the leases that it takes
     */
    public EnvironmentLeases leases(String host, Duration duration) {
        return (environment, action) -> {
            Instant now = clock.instant();
            Tenure tenure = new Tenure(NAMESPACE, environment, host, tokens.incrementAndGet());
            return acquire(new Grant(tenure, action, now, now.plus(duration)), now);
        };
    }

    private EnvironmentLease acquire(Grant asked, Instant now) throws EnvironmentInUseException {
        Grant present = grants.putIfAbsent(asked.environment(), asked);
        if (present == null) {
            return new InProcessLease(this, asked, LeaseStatus.FREE);
        }
        if (!present.isActiveAt(now) && grants.replace(asked.environment(), present, asked)) {
            return new InProcessLease(this, asked, LeaseStatus.EXPIRED);
        }
        throw new EnvironmentInUseException(asked.environment(), present.stateAt(now));
    }

    boolean isHeld(Grant grant) {
        return grant.equals(grants.get(grant.environment())) && grant.isActiveAt(clock.instant());
    }

    void end(Grant grant) {
        grants.remove(grant.environment(), grant);
    }

    /** A holder, and until when it is one. Two are never equal, since each has a token of its own. */
    record Grant(Tenure tenure, Action action, Instant since, Instant latestExpiry) {

        String environment() {
            return tenure.name();
        }

        boolean isActiveAt(Instant now) {
            return !now.isAfter(latestExpiry);
        }

        LeaseState stateAt(Instant now) {
            LeaseStatus status = isActiveAt(now) ? LeaseStatus.ACTIVE : LeaseStatus.EXPIRED;
            return new LeaseState.Held(tenure, status, latestExpiry, since, action.text(), false, Set.of());
        }
    }
}
