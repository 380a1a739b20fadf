package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of refusals of the specification: which operation has which reason, and how the lease stands then. */
final class RefusalReasons {

    private static final Map<Kind, Set<String>> OF_OPERATIONS = new EnumMap<>(Map.of(
            Kind.CLAIM, Set.of("HELD", "HELD_PAST_EXPIRY", "PINNED", "NOT_YET"),
            Kind.ACQUIRE, Set.of("HELD", "PINNED", "NOT_YET"),
            Kind.TAKE_OVER, Set.of("NO_SUCH_LEASE", "VACANT", "NOT_EXPIRED", "PINNED"),
            Kind.EXPIRE, Set.of("NO_SUCH_LEASE", "VACANT", "NOT_EXPIRED", "PINNED"),
            Kind.EXTEND, Set.of("NO_SUCH_LEASE", "VACANT", "NOT_THAT_TENURE", "SESSION_LEASE"),
            Kind.RELEASE, Set.of("NO_SUCH_LEASE", "VACANT", "NOT_THAT_TENURE", "SESSION_LEASE"),
            Kind.FORCE_EXPIRE, Set.of("NO_SUCH_LEASE", "VACANT")));

    private static final Set<String> OF_THE_END = Set.of("NO_SUCH_LEASE", "VACANT", "NOT_THAT_TENURE");

    private RefusalReasons() {}

    /** Whether an extension was refused because its tenure is over. */
    static boolean tellsTheEnd(Call call) {
        return call.answer() != null
                && call.answer().reason() != null
                && OF_THE_END.contains(call.answer().reason());
    }

    /** Whether an operation is ever refused for it. */
    static boolean areOf(Kind kind, String reason) {
        Set<String> reasons = OF_OPERATIONS.get(kind);
        return reasons == null || reasons.contains(reason);
    }

    /**
     * Whether a lease that stands so is a reason.
     *
     * @param row the document; null for none
     * @param free whether it belongs to the session of an absent writer, and so to nobody
     * @param inside whether no two engines share a writer's name
     */
    static boolean fits(Call call, String reason, @Nullable LeaseRow row, boolean free, boolean inside) {
        if (row == null) {
            return reason.equals("NO_SUCH_LEASE");
        }
        boolean held = row.holder() != null;
        return switch (reason) {
            case "VACANT" -> !held || free;
            case "HELD", "HELD_PAST_EXPIRY", "NOT_EXPIRED" -> held && !(inside && maySupersede(call, row));
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
                && !call.by().isWriter(row.writer());
    }

    private static boolean isOf(@Nullable HeldTenure tenure, LeaseRow row) {
        return tenure != null
                && tenure.token() == row.token()
                && tenure.holder().equals(row.holder());
    }
}
