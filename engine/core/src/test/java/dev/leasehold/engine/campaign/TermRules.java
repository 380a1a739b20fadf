package dev.leasehold.engine.campaign;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A lease is held until the end of the longest term that its holder was granted, counted from the start of that call,
 * unless the holder gives it up.
 */
final class TermRules {

    private TermRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        Map<Long, Call> longest = new HashMap<>();
        lease.calls(call -> call.isYes() && call.asked().durationNanos() > 0)
                .forEach(call -> longest.merge(call.grantedToken(), call, TermRules::longer));
        return lease.calls(call -> call.isYes() && endsByExpiry(call)).flatMap(call -> {
            Call promise = longest.get(call.operation() == Operation.EXPIRE ? call.grantedToken() : call.grantedToken() - 1);
            return promise == null || call.doneByNanos() >= promise.promisedUntilNanos()
                    ? Stream.empty()
                    : Stream.of("a tenure was ended within its term: " + call + " in spite of " + promise);
        });
    }

    private static Call longer(Call one, Call other) {
        return one.promisedUntilNanos() >= other.promisedUntilNanos() ? one : other;
    }

    private static boolean endsByExpiry(Call call) {
        return call.operation() == Operation.EXPIRE || call.operation() == Operation.TAKE_OVER;
    }
}
