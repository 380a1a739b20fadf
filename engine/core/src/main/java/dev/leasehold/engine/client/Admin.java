package dev.leasehold.engine.client;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.commit.Subject;
import dev.leasehold.engine.protocol.Request;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operators' orders, as operations of the engine. */
final class Admin implements LeaseAdmin {

    private static final Logger LOG = LoggerFactory.getLogger(Admin.class);

    private final Partitions partitions;
    private final Calls calls;
    private final Listing listing;
    private final TenureOperations tenures;

    Admin(Partitions partitions, Calls calls, Listing listing, TenureOperations tenures) {
        this.partitions = partitions;
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
        Arguments.tenure(tenure, partitions);
        return ordered(new Request.ForceExpire(tenure.name(), Arguments.reason(reason), tenure));
    }

    private LeaseResult ordered(Request.ForceExpire order) throws InterruptedException {
        LeaseResult answer = calls.answer(order);
        if (answer.isGranted()) {
            LOG.warn("{}: expired by an operator: {}", Subject.of(answer.orElseThrow()), order.reason());
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
        return calls.reply(new Request.Pin(name, entity, pinned)).refusal() == null;
    }

    @Override
    public LeaseResult release(Tenure tenure) throws InterruptedException {
        return tenures.release(tenure);
    }
}
