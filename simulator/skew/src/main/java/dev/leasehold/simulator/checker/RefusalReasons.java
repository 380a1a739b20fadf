package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of refusals of the specification: which operation has which reason, and how the lease stands then. */
final class RefusalReasons {

    private static final Set<String> OF_EXTENSION =
            Set.of("NO_SUCH_LEASE", "VACANT", "NOT_THAT_TENURE", "SESSION_LEASE");
    private static final Set<String> OF_EXPIRY = Set.of("NO_SUCH_LEASE", "VACANT", "NOT_EXPIRED", "PINNED");

    private static final Map<Kind, Set<String>> OF_OPERATIONS = Map.of(
            Kind.CLAIM, Set.of("HELD", "HELD_PAST_EXPIRY", "PINNED", "NOT_YET"),
            Kind.ACQUIRE, Set.of("HELD", "PINNED", "NOT_YET"),
            Kind.TAKE_OVER, OF_EXPIRY,
            Kind.EXPIRE, OF_EXPIRY,
            Kind.EXTEND, OF_EXTENSION,
            Kind.RELEASE, OF_EXTENSION,
            Kind.FORCE_EXPIRE, Set.of("NO_SUCH_LEASE", "VACANT", "NOT_THAT_TENURE"));

    private RefusalReasons() {}

    /**
     * Whether an operation is refused so while a lease stands so.
     *
     * @param row the document; null for none
     * @param free whether it belongs to the session of an absent writer, and so to no holder
     * @param keptFree whether it is kept free for some time yet
     * @param heldHere whether the engine of the call held that tenure at some moment of it, or may have
     */
    static boolean fit(
            Call call,
            String reason,
            Shown shown,
            @Nullable LeaseRow row,
            boolean free,
            boolean keptFree,
            boolean heldHere) {
        Set<String> reasons = OF_OPERATIONS.get(call.kind());
        if (reasons != null && !reasons.contains(reason)) {
            return false;
        }
        if (row == null) {
            return reason.equals("NO_SUCH_LEASE");
        }
        boolean held = row.holder() != null;
        HeldTenure asked = call.operation.tenure();
        boolean isAsked =
                asked != null && asked.token() == row.token() && asked.holder().equals(row.holder());
        return switch (reason) {
            case "VACANT" -> !held || free;
            case "HELD", "NOT_EXPIRED" -> held && !shown.expired() && (heldHere || !maySupersede(call, row));
            case "HELD_PAST_EXPIRY" -> held && shown.expired();
            case "NOT_YET" -> !held && row.expiryNanos() != null;
            case "NOT_THAT_TENURE" -> held && !isAsked;
            case "SESSION_LEASE" -> held && row.expiryNanos() == null && isAsked;
            // Only the pin prevents it.
            case "PINNED" -> !row.pins().isEmpty() && !keptFree && (!ends(call.kind()) || held && shown.expired());
            default -> false;
        };
    }

    /** Whether it ends a tenure that has expired. */
    private static boolean ends(Kind kind) {
        return kind == Kind.TAKE_OVER || kind == Kind.EXPIRE;
    }

    /** What this engine holds or wrote last is never superseded. */
    private static boolean maySupersede(Call call, LeaseRow row) {
        return call.operation.supersede()
                && String.valueOf(call.operation.holder()).equals(row.holder())
                && !call.by.isWriter(row.writer());
    }
}
