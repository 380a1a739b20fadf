package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reasons of refusals, by the table of the specification: which operation has which, and how the lease has to stand for it. */
final class Reasons {

    private static final Set<String> OF_CLAIM = Set.of("HELD", "HELD_PAST_EXPIRY", "PINNED", "NOT_YET");
    private static final Set<String> OF_ACQUIRE = Set.of("HELD", "PINNED", "NOT_YET");
    private static final Set<String> OF_ENDING = Set.of("NO_SUCH_LEASE", "VACANT", "NOT_EXPIRED", "PINNED");
    private static final Set<String> OF_TENURE = Set.of("NO_SUCH_LEASE", "VACANT", "NOT_THAT_TENURE", "SESSION_LEASE");
    private static final Set<String> OF_ORDER = Set.of("NO_SUCH_LEASE", "VACANT");

    private Reasons() {}

    /** Whether an operation is ever refused for it. */
    static boolean areOf(Kind kind, String reason) {
        return switch (kind) {
            case CLAIM -> OF_CLAIM.contains(reason);
            case ACQUIRE -> OF_ACQUIRE.contains(reason);
            case TAKE_OVER, EXPIRE -> OF_ENDING.contains(reason);
            case EXTEND, RELEASE -> OF_TENURE.contains(reason);
            case FORCE_EXPIRE -> OF_ORDER.contains(reason);
            default -> true;
        };
    }

    /**
     * Whether a lease that stands so is a reason.
     *
     * @param row the document; null for none
     * @param free whether it belongs to the session of an absent writer, and so to nobody
     */
    static boolean isOne(Call call, String reason, @Nullable LeaseRow row, boolean free) {
        if (row == null) {
            return reason.equals("NO_SUCH_LEASE");
        }
        boolean held = row.holder() != null;
        return switch (reason) {
            case "VACANT" -> !held || free;
            case "HELD", "HELD_PAST_EXPIRY", "NOT_EXPIRED" -> held && !maySupersede(call, row);
            case "NOT_YET" -> !held && row.expiryNanos() != null;
            case "NOT_THAT_TENURE" -> held && !isOf(call.operation().tenure(), row);
            case "SESSION_LEASE" ->
                held && row.expiryNanos() == null && isOf(call.operation().tenure(), row);
            case "PINNED" -> !row.pins().isEmpty();
            default -> false;
        };
    }

    /** What this engine wrote last is no other incarnation's. */
    private static boolean maySupersede(Call call, LeaseRow row) {
        return call.operation().supersede()
                && String.valueOf(call.operation().holder()).equals(row.holder())
                && !call.life().isWriter(row.writer());
    }

    private static boolean isOf(@Nullable HeldTenure tenure, LeaseRow row) {
        return tenure != null
                && tenure.token() == row.token()
                && tenure.holder().equals(row.holder());
    }
}
