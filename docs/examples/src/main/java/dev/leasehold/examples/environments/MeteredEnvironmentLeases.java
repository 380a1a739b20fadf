package dev.leasehold.examples.environments;

import dev.leasehold.engine.LeaseStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;

/**
 * Counts and times what others do.
 *
 * <ul>
 *   <li>{@code environment-exclusion.acquisitions}: counter by {@code action}, {@code outcome} (granted, denied) and {@code status}, which
 *       is how the lease stood before (free, expired, active).
 *   <li>{@code environment-exclusion.lease}: timer by {@code action} and {@code outcome}, from the start of the acquisition to its
 *       refusal or to the close of the lease.
 * </ul>
 */
public final class MeteredEnvironmentLeases implements EnvironmentLeases {

    static final String ACQUISITIONS = "environment-exclusion.acquisitions";
    static final String LEASE = "environment-exclusion.lease";

    private final EnvironmentLeases leases;
    private final MeterRegistry registry;

    /**
     * Meters for an instance.
     *
     * @param leases that do the work
     * @param registry for the meters
     */
    public MeteredEnvironmentLeases(EnvironmentLeases leases, MeterRegistry registry) {
        this.leases = leases;
        this.registry = registry;
    }

    @Override
    public EnvironmentLease tryAcquire(String environment, Action action)
            throws EnvironmentInUseException, InterruptedException {
        Timer.Sample sample = Timer.start(registry);
        try {
            EnvironmentLease lease = leases.tryAcquire(environment, action);
            count(action, "granted", lease.priorStatus());
            return new MeteredEnvironmentLease(lease, () -> sample.stop(timer(action, "granted")));
        } catch (EnvironmentInUseException e) {
            count(action, "denied", e.status());
            sample.stop(timer(action, "denied"));
            throw e;
        }
    }

    private void count(Action action, String outcome, LeaseStatus prior) {
        String status = prior.name().toLowerCase(Locale.ROOT);
        registry.counter(ACQUISITIONS, "action", action.text(), "outcome", outcome, "status", status)
                .increment();
    }

    private Timer timer(Action action, String outcome) {
        return registry.timer(LEASE, "action", action.text(), "outcome", outcome);
    }
}
