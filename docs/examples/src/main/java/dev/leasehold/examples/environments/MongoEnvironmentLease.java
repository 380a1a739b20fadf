package dev.leasehold.examples.environments;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.Tenures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A tenure that is not renewed. */
record MongoEnvironmentLease(Tenures tenures, Tenure tenure, Action action, LeaseStatus priorStatus)
        implements EnvironmentLease {

    private static final Logger LOG = LoggerFactory.getLogger(MongoEnvironmentLease.class);

    @Override
    public String environment() {
        return tenure.name();
    }

    @Override
    public boolean isHeld() {
        return tenures.isHeld(tenure);
    }

    @Override
    public void requireHeldIn(ClientSession session) {
        tenures.assertion(tenure).check(session);
    }

    /** Ends this tenure and no other. If that fails, the tenure runs out by itself. */
    @Override
    public void close() {
        try {
            tenures.release(tenure); // refused after a loss, and the second time
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (LeaseException e) {
            LOG.warn("environment '{}' stays leased until the lease runs out: {}", environment(), e.getMessage());
        }
    }
}
