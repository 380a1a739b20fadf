package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Entry.Valid;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two tenures are never valid at the same time. A validity rests on a yes of the call itself, lasts no longer than
 * the term that was granted, and is over when the tenure is, or once its holder has released it.
 */
final class ValidityRules {

    private ValidityRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        return Stream.of(overlapping(lease), unfounded(lease), afterTheRelease(lease), afterTheEnd(lease))
                .flatMap(each -> each);
    }

    private static Stream<String> overlapping(LeaseEvidence lease) {
        Stream.Builder<String> violations = Stream.builder();
        Valid latest = null;
        for (Valid next : inOrder(lease)) {
            if (latest != null && next.fromNanos() < latest.untilNanos() && next.token() != latest.token()) {
                violations.add("two tenures were valid at once: " + latest.line() + " and " + next.line());
            }
            latest = latest == null || next.untilNanos() > latest.untilNanos() ? next : latest;
        }
        return violations.build();
    }

    private static List<Valid> inOrder(LeaseEvidence lease) {
        return lease.validities().stream()
                .sorted(Comparator.comparingLong(Valid::fromNanos))
                .toList();
    }

    /** A late answer, or a term that is over, is no ground for a validity. */
    private static Stream<String> unfounded(LeaseEvidence lease) {
        Map<Long, Long> firstNanos = new HashMap<>();
        Map<Long, Long> lastNanos = new HashMap<>();
        lease.calls(ValidityRules::isGround).forEach(call -> {
            firstNanos.merge(call.grantedToken(), call.asked().atNanos(), Math::min);
            lastNanos.merge(call.grantedToken(), lastsUntilNanos(call), Math::max);
        });
        return lease.validities().stream()
                .filter(validity -> validity.fromNanos() < firstNanos.getOrDefault(validity.token(), Long.MAX_VALUE)
                        || validity.untilNanos() > lastNanos.getOrDefault(validity.token(), Long.MIN_VALUE))
                .map(validity -> "a validity without a ground: " + validity.line());
    }

    private static boolean isGround(Call call) {
        boolean grantsTime =
                call.operation() == Operation.ACQUIRE || call.asked().durationNanos() > 0;
        return call.isDirectYes() && grantsTime;
    }

    /** What a handle keeps has no end of its own. */
    private static long lastsUntilNanos(Call call) {
        return call.operation() == Operation.ACQUIRE
                ? Long.MAX_VALUE
                : call.doneByNanos() + call.asked().durationNanos();
    }

    private static Stream<String> afterTheRelease(LeaseEvidence lease) {
        Map<Long, Call> releases = new HashMap<>();
        lease.calls(call -> call.operation() == Operation.RELEASE || call.operation() == Operation.CLOSE)
                .filter(call -> !call.told().isEmpty())
                .forEach(call -> releases.putIfAbsent(call.asked().token(), call));
        return lease.validities().stream()
                .filter(validity -> releases.containsKey(validity.token())
                        && validity.untilNanos()
                                > releases.get(validity.token()).told().get(0).atNanos())
                .map(validity -> "a validity after the release: " + validity.line() + " after "
                        + releases.get(validity.token()));
    }

    private static Stream<String> afterTheEnd(LeaseEvidence lease) {
        return lease.validities().stream()
                .filter(validity -> validity.untilNanos() > lease.overByNanos(validity.token()))
                .map(validity -> "a validity of a tenure that was over by %d: %s"
                        .formatted(lease.overByNanos(validity.token()), validity.line()));
    }
}
