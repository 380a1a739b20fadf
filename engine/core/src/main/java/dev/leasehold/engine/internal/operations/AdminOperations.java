package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.WaiterDetails;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.settings.Arguments;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out operators' requests as operations of the engine. */
public final class AdminOperations implements LeaseAdmin {

    private static final Logger LOG = LoggerFactory.getLogger(AdminOperations.class);

    private final Operations operations;
    private final LeaseListing listing;
    private final TenureOperations tenures;
    private final Occurrences occurrences;

    public AdminOperations(
            Operations operations, LeaseListing listing, TenureOperations tenures, Occurrences occurrences) {
        this.operations = operations;
        this.listing = listing;
        this.tenures = tenures;
        this.occurrences = occurrences;
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
    public List<WaiterDetails> waiters(String name) throws InterruptedException {
        return listing.waiters(LeaseNames.checkName(name));
    }

    @Override
    public LeaseResult forceExpire(String name, String reason) throws InterruptedException {
        return forceExpire(new Request.ForceExpire(LeaseNames.checkName(name), Arguments.reason(reason)));
    }

    @Override
    public LeaseResult forceExpire(Tenure tenure, String reason) throws InterruptedException {
        tenures.check(tenure);
        return forceExpire(new Request.ForceExpire(tenure.name(), Arguments.reason(reason), tenure));
    }

    private LeaseResult forceExpire(Request.ForceExpire request) throws InterruptedException {
        LeaseResult result = operations.call(request).toAnswer();
        if (result.isGranted()) {
            LOG.warn("{}: expired by an operator: {}", LogContext.of(result.orElseThrow()), request.reason());
        }
        return result;
    }

    @Override
    public boolean pin(String name, String entity) throws InterruptedException {
        return setPin(name, entity, true);
    }

    @Override
    public boolean unpin(String name, String entity) throws InterruptedException {
        return setPin(name, entity, false);
    }

    private boolean setPin(String name, String entity, boolean pinned) throws InterruptedException {
        LeaseNames.checkName(name);
        LeaseNames.checkEntity(entity);
        return operations.call(new Request.Pin(name, entity, pinned)).refusal() == null;
    }

    @Override
    public List<OccurrenceRecord> occurrences(String name, int limit) throws InterruptedException {
        return occurrences.last(name, limit);
    }

    @Override
    public Optional<OccurrenceRecord> forgetOccurrence(String name, String occurrence, String reason)
            throws InterruptedException {
        return occurrences.forget(name, occurrence, reason);
    }

    @Override
    public LeaseResult release(Tenure tenure) throws InterruptedException {
        return tenures.release(tenure);
    }
}
