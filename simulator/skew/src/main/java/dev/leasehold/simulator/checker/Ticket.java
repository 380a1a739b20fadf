package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entry of a waiter in the queue of a lease, from its first arrival there on. */
final class Ticket {

    /** By which a ticket is named for ever. */
    record Name(String writer, long stampNanos) {

        static Name of(TicketRow row) {
            return new Name(row.writer(), row.stampNanos());
        }
    }

    final TicketRow row;
    /** The write that put it into the queue first. */
    final Commit stored;
    /** The engine that waits; null where it is not known. */
    final @Nullable Incarnation by;
    /** The tenures that the lease was granted to it for, in the order in which they began. */
    final List<Tenure> tenures = new ArrayList<>(1);

    Ticket(TicketRow row, Commit stored) {
        this.row = row;
        this.stored = stored;
        this.by = stored.by;
    }

    /** Whether a call may have sent it: it is its engine's, for its holder, and was there before. What a call was granted shows its holder. */
    boolean mayBeOf(Call call) {
        return mayWait(call)
                && call.calledNanos <= stored.atNanos
                && call.mayWaitAs(row.holder())
                && !isKnownAsAnother(call);
    }

    /** Whether a call waits with it that came while the one that sent it waits: an engine has one ticket for each holder. */
    boolean isSharedBy(Call call) {
        return mayWait(call) && row.holder().equals(call.operation.holder());
    }

    private boolean mayWait(Call call) {
        return call.by == by && call.kind() == Operation.Kind.ACQUIRE && call.operation.session();
    }

    /** A campaign asks again and again, each time as another holder. */
    private boolean isKnownAsAnother(Call call) {
        Answer last = call.isCampaign() ? null : call.lastWord();
        HeldTenure granted = last == null ? null : last.tenure();
        return granted != null && !granted.holder().equals(row.holder());
    }

    /** Its words, for sentences. */
    @Override
    public String toString() {
        return "the ticket of " + row.holder() + " in " + row.writer() + " of " + Violations.seconds(stored.atNanos);
    }
}
