package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Entry.Believed;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two tenures are never believed in at the same time. A belief rests on a yes of the call itself, lasts no longer than
 * the term that was granted, and is over when the tenure is, or once its holder has given it up.
 */
final class BeliefRules {

    private BeliefRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        return Stream.of(overlapping(lease), unfounded(lease), afterTheRelease(lease), afterTheEnd(lease))
                .flatMap(each -> each);
    }

    private static Stream<String> overlapping(LeaseEvidence lease) {
        Stream.Builder<String> violations = Stream.builder();
        Believed latest = null;
        for (Believed next : inOrder(lease)) {
            if (latest != null && next.fromNanos() < latest.untilNanos() && next.token() != latest.token()) {
                violations.add("two tenures were believed in at once: " + latest.line() + " and " + next.line());
            }
            latest = latest == null || next.untilNanos() > latest.untilNanos() ? next : latest;
        }
        return violations.build();
    }

    private static List<Believed> inOrder(LeaseEvidence lease) {
        return lease.beliefs().stream()
                .sorted(Comparator.comparingLong(Believed::fromNanos))
                .toList();
    }

    /** Whoever relies on a late answer, or on a term that is over, believes without a ground. */
    private static Stream<String> unfounded(LeaseEvidence lease) {
        Map<Long, Long> firstNanos = new HashMap<>();
        Map<Long, Long> lastNanos = new HashMap<>();
        lease.calls(BeliefRules::isGround).forEach(call -> {
            firstNanos.merge(call.grantedToken(), call.asked().atNanos(), Math::min);
            lastNanos.merge(call.grantedToken(), lastsUntilNanos(call), Math::max);
        });
        return lease.beliefs().stream()
                .filter(belief -> belief.fromNanos() < firstNanos.getOrDefault(belief.token(), Long.MAX_VALUE)
                        || belief.untilNanos() > lastNanos.getOrDefault(belief.token(), Long.MIN_VALUE))
                .map(belief -> "a belief without a ground: " + belief.line());
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
        return lease.beliefs().stream()
                .filter(belief -> releases.containsKey(belief.token())
                        && belief.untilNanos()
                                > releases.get(belief.token()).told().get(0).atNanos())
                .map(belief ->
                        "a belief after the release: " + belief.line() + " after " + releases.get(belief.token()));
    }

    private static Stream<String> afterTheEnd(LeaseEvidence lease) {
        return lease.beliefs().stream()
                .filter(belief -> belief.untilNanos() > lease.overByNanos(belief.token()))
                .map(belief -> "a belief in a tenure that was over by %d: %s"
                        .formatted(lease.overByNanos(belief.token()), belief.line()));
    }
}
