package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.rules.Request;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operators' orders, as operations of the engine. */
public final class AdminOperations implements LeaseAdmin {

    private static final Logger LOG = LoggerFactory.getLogger(AdminOperations.class);

    private final PartitionRouter router;
    private final OperationCalls calls;
    private final LeaseListing listing;
    private final TenureOperations tenures;

    public AdminOperations(
            PartitionRouter router, OperationCalls calls, LeaseListing listing, TenureOperations tenures) {
        this.router = router;
        this.calls = calls;
        this.listing = listing;
        this.tenures = tenures;
    }

    @Override
    public List<LeaseState> leases() throws InterruptedException {
        return listing.all();
    }

    @Override
    public LeaseState inspect(String name) throws InterruptedException {
        return listing.of(Set.of(LeaseNames.checkName(name))).get(0);
    }

    @Override
    public LeaseResult forceExpire(String name, String reason) throws InterruptedException {
        return ordered(new Request.ForceExpire(LeaseNames.checkName(name), Arguments.reason(reason)));
    }

    @Override
    public LeaseResult forceExpire(Tenure tenure, String reason) throws InterruptedException {
        Arguments.tenure(tenure, router);
        return ordered(new Request.ForceExpire(tenure.name(), Arguments.reason(reason), tenure));
    }

    private LeaseResult ordered(Request.ForceExpire order) throws InterruptedException {
        LeaseResult answer = calls.call(order);
        if (answer.isGranted()) {
            LOG.warn("{}: expired by an operator: {}", LogContext.of(answer.orElseThrow()), order.reason());
        }
        return answer;
    }

    @Override
    public boolean pin(String name, String entity) throws InterruptedException {
        return pinned(name, entity, true);
    }

    @Override
    public boolean unpin(String name, String entity) throws InterruptedException {
        return pinned(name, entity, false);
    }

    private boolean pinned(String name, String entity, boolean pinned) throws InterruptedException {
        LeaseNames.checkName(name);
        LeaseNames.checkEntity(entity);
        return calls.result(new Request.Pin(name, entity, pinned)).refusal() == null;
    }

    @Override
    public LeaseResult release(Tenure tenure) throws InterruptedException {
        return tenures.release(tenure);
    }
}
