package dev.leasehold.examples.environments;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.Tenures;
import java.time.Duration;

/** Leases that all instances share through MongoDB. */
public final class MongoEnvironmentLeases implements EnvironmentLeases {

    private final Tenures tenures;
    private final String host;
    private final Duration duration;

    /**
     * The leases as one instance takes them.
     *
     * @param engine of a namespace that is kept for environments
     * @param host by what name people know this instance
     * @param duration of the leases that this instance takes; others may use another
     */
    public MongoEnvironmentLeases(LeaseEngine engine, String host, Duration duration) {
        this.tenures = engine.tenures();
        this.host = host;
        this.duration = duration;
    }

    @Override
    public EnvironmentLease tryAcquire(String environment, Action action)
            throws EnvironmentInUseException, InterruptedException {
        LeaseStatus prior = LeaseStatus.FREE;
        LeaseResult result = tenures.claim(environment, host, duration, action.text());
        if (result instanceof Refusal no && no.reason() == Refusal.Reason.HELD_PAST_EXPIRY) {
            prior = LeaseStatus.EXPIRED;
            result = tenures.takeOver(environment, host, duration, action.text());
        }
        if (result instanceof Refusal refusal) {
            throw new EnvironmentInUseException(environment, refusal.state());
        }
        return new MongoEnvironmentLease(tenures, result.orElseThrow(), action, prior);
    }
}
