package dev.leasehold.examples.environments;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.LeaseStatus;

/** A lease of {@link InProcessEnvironments}. */
record InProcessLease(InProcessEnvironments environments, InProcessEnvironments.Grant grant, LeaseStatus priorStatus)
        implements EnvironmentLease {

    @Override
    public String environment() {
        return grant.environment();
    }

    @Override
    public Action action() {
        return grant.action();
    }

    @Override
    public boolean isHeld() {
        return environments.isHeld(grant);
    }

    /** Looks once. The transaction commits later, and the lease may run out in between: only the database could see to that. */
    @Override
    public void requireHeldIn(ClientSession session) {
        if (!isHeld()) {
            throw new LeaseNotHeldException(grant.tenure(), "it was closed, or has run out in this process");
        }
    }

    @Override
    public void close() {
        environments.end(grant);
    }
}
