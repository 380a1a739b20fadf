package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Entry.Lost;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A lease is held until the end of the longest term that its holder was granted, counted from the start of that call,
 * unless the holder releases it.
 */
final class TermRules {

    private TermRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        Map<Long, Call> longest = new HashMap<>();
        lease.calls(call -> call.isYes() && call.asked().durationNanos() > 0)
                .forEach(call -> longest.merge(call.grantedToken(), call, TermRules::longer));
        Set<Long> perhapsVacant = perhapsVacant(lease);
        return lease.calls(call -> call.isYes() && endsByExpiry(call, perhapsVacant))
                .flatMap(call -> {
                    Call grant = longest.get(
                            call.operation() == Operation.EXPIRE ? call.grantedToken() : call.grantedToken() - 1);
                    return grant == null || call.doneByNanos() >= grant.grantedUntilNanos()
                            ? Stream.empty()
                            : Stream.of("a tenure was ended within its term: " + call + " in spite of " + grant);
                });
    }

    private static Call longer(Call one, Call other) {
        return one.grantedUntilNanos() >= other.grantedUntilNanos() ? one : other;
    }

    /** An acquisition takes what is vacant, or what has expired, and does not tell which. */
    private static boolean endsByExpiry(Call call, Set<Long> perhapsVacant) {
        return switch (call.operation()) {
            case EXPIRE, TAKE_OVER -> true;
            case ACQUIRE -> !perhapsVacant.contains(call.grantedToken() - 1);
            default -> false;
        };
    }

    /**
     * The tenures that their holders may have released. An engine releases by itself what was acquired for a caller who had been
     * told that nobody knows.
     */
    private static Set<Long> perhapsVacant(LeaseEvidence lease) {
        return Stream.of(
                        lease.calls(call ->
                                        call.operation() == Operation.RELEASE || call.operation() == Operation.CLOSE)
                                .map(call -> call.asked().token()),
                        lease.calls(call ->
                                        call.operation() == Operation.ACQUIRE && call.isYes() && !call.isDirectYes())
                                .map(Call::grantedToken),
                        lease.losses().stream().map(Lost::token))
                .flatMap(tokens -> tokens)
                .collect(Collectors.toSet());
    }
}
