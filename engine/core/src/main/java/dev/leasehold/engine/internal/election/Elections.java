package dev.leasehold.engine.internal.election;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.internal.lease.LeaseManager;
import dev.leasehold.engine.internal.settings.Arguments;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The leader elections of one engine. Safe for many threads. */
public final class Elections {

    private final LeaseManager leaseManager;
    private final Set<LeaderElector> electors = ConcurrentHashMap.newKeySet();

    /** No election yet. They end with the leases. */
    public Elections(LeaseManager leaseManager) {
        this.leaseManager = leaseManager;
        leaseManager.onEnd(() -> electors.forEach(LeaderElector::engineClosed));
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#elect(LeaseRequest)}. */
    public LeaderElection.Builder elect(LeaseRequest request) {
        Arguments.given("request", request, "it must say which lease is wanted");
        return new LeaderElector.Builder(request, leaseManager, electors);
    }
}
