package dev.leasehold.engine.client;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseAnswer;
import dev.leasehold.engine.LeaseOperator;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.commit.Subject;
import dev.leasehold.engine.protocol.Request;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operators' orders, as operations of the engine. */
final class Operator implements LeaseOperator {

    private static final Logger LOG = LoggerFactory.getLogger(Operator.class);

    private final Calls calls;
    private final Listing listing;
    private final Terms terms;

    Operator(Calls calls, Listing listing, Terms terms) {
        this.calls = calls;
        this.listing = listing;
        this.terms = terms;
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
    public LeaseAnswer forceExpire(String name, String reason) throws InterruptedException {
        LeaseNames.checkName(name);
        LeaseAnswer answer = calls.answer(new Request.ForceExpire(name, Arguments.reason(reason)));
        if (answer.isGranted()) {
            LOG.warn("{}: expired by an operator: {}", Subject.of(answer.orElseThrow()), reason);
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
    public LeaseAnswer release(Tenure tenure) throws InterruptedException {
        return terms.release(tenure);
    }
}
