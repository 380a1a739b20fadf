package dev.leasehold.simulator.store;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.simulator.world.NetworkFault;
import dev.leasehold.simulator.world.Reply;
import org.jspecify.annotations.Nullable;

/** What a reply means for the engine: the same as an exception of the driver does for the real store. */
final class Outcomes {

    private Outcomes() {}

    static LeaseUnavailableException unavailable(@Nullable NetworkFault networkFault) {
        return new LeaseUnavailableException("the simulated database could not do it now: " + networkFault, null);
    }

    /** Why there is nothing to commit; null if there is. */
    static @Nullable WriteOutcome beforeCommit(Reply<Counts> reply, int statements, boolean behindTheClock) {
        Counts counts = reply.answer();
        if (counts == null) {
            return WriteOutcome.unavailable(unavailable(reply.networkFault()));
        }
        return switch (counts.kind()) {
            case DONE -> counts.matched() == statements ? null : WriteOutcome.MISSED;
            case DUPLICATE -> WriteOutcome.MISSED;
            case CONFLICT ->
                behindTheClock
                        ? WriteOutcome.leaseConflict(contention("one of the leases"))
                        : WriteOutcome.conflict(contention("the clock document or one of the leases"));
            case OUT_OF_TIME, INTERRUPTED, NO_SUCH_TRANSACTION -> WriteOutcome.unavailable(noTransaction());
        };
    }

    /** Only of a transaction that does not exist it is certain that it was not committed. */
    static WriteOutcome ofCommit(Reply<Counts> reply) {
        if (reply.answer() == null) {
            return unknown(reply.networkFault());
        }
        return reply.answer().kind() == Counts.Kind.DONE
                ? WriteOutcome.APPLIED
                : WriteOutcome.unavailable(noTransaction());
    }

    static WriteOutcome ofSingleWrite(Reply<Counts> reply, int statements, String what) {
        Counts counts = reply.answer();
        if (counts == null) {
            return reply.networkFault() == NetworkFault.NOT_SENT
                    ? WriteOutcome.unavailable(unavailable(reply.networkFault()))
                    : unknown(reply.networkFault());
        }
        return switch (counts.kind()) {
            case DONE -> counts.matched() == statements ? WriteOutcome.APPLIED : WriteOutcome.MISSED;
            case OUT_OF_TIME -> WriteOutcome.conflict(contention(what));
            default -> unknown(null);
        };
    }

    static WriteOutcome commitCannotBeRepeated() {
        return WriteOutcome.unknown(new LeaseOutcomeUnknownException(
                "a later write took the driver session, so the commit in doubt cannot be sent again", null));
    }

    private static WriteOutcome unknown(@Nullable NetworkFault networkFault) {
        return WriteOutcome.unknown(new LeaseOutcomeUnknownException(
                "the write was sent, and its outcome is not known: " + networkFault, null));
    }

    private static LeaseContentionException contention(String what) {
        return new LeaseContentionException("another transaction is writing " + what, null);
    }

    private static LeaseUnavailableException noTransaction() {
        return new LeaseUnavailableException("the server knows no such transaction", null);
    }
}
