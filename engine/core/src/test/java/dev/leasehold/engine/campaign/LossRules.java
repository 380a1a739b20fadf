package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Entry.Lost;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The holder of a handle is told once of its loss, only of one that it had acquired, when its validity is over, and
 * before anybody else holds the lease: unless its process was asleep at that time, which no engine can help.
 */
final class LossRules {

    /** A sleep this long before the news explains why it is late: what had been due meanwhile is done one by one. */
    private static final long WAKING_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private LossRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        Map<Long, Call> acquired = new HashMap<>();
        lease.calls(call -> call.operation() == Operation.ACQUIRE && call.isDirectYes())
                .forEach(call -> acquired.put(call.grantedToken(), call));
        return Stream.of(ofNothing(lease, acquired), twice(lease), stillHeld(lease), late(lease, acquired))
                .flatMap(each -> each);
    }

    private static Stream<String> ofNothing(LeaseEvidence lease, Map<Long, Call> acquired) {
        return lease.losses().stream()
                .filter(loss -> !acquired.containsKey(loss.token())
                        || acquired.get(loss.token()).doneByNanos() > loss.atNanos())
                .map(loss -> "a loss of what was not acquired before: " + loss.line());
    }

    private static Stream<String> twice(LeaseEvidence lease) {
        Set<Long> told = new HashSet<>();
        return lease.losses().stream()
                .filter(loss -> !told.add(loss.token()))
                .map(loss -> "a loss that was told twice: " + loss.line());
    }

    private static Stream<String> stillHeld(LeaseEvidence lease) {
        Map<Long, Long> lastNanos = new HashMap<>();
        lease.validities().forEach(validity -> lastNanos.merge(validity.token(), validity.untilNanos(), Math::max));
        return lease.losses().stream()
                .filter(loss -> lastNanos.getOrDefault(loss.token(), Long.MIN_VALUE) > loss.atNanos())
                .map(loss ->
                        "a validity until %d after the loss: %s".formatted(lastNanos.get(loss.token()), loss.line()));
    }

    private static Stream<String> late(LeaseEvidence lease, Map<Long, Call> acquired) {
        return lease.losses().stream()
                .filter(loss -> loss.atNanos() > lease.overByNanos(loss.token()))
                .filter(loss -> acquired.containsKey(loss.token()) && !slept(lease, acquired.get(loss.token()), loss))
                .map(loss -> "told of a loss when another held the lease by %d: %s"
                        .formatted(lease.overByNanos(loss.token()), loss.line()));
    }

    private static boolean slept(LeaseEvidence lease, Call acquisition, Lost loss) {
        return lease.slept().stream()
                .anyMatch(sleep -> sleep.process().equals(acquisition.process())
                        && sleep.fromNanos() < loss.atNanos()
                        && sleep.untilNanos() > lease.overByNanos(loss.token()) - WAKING_UP_NANOS);
    }
}
