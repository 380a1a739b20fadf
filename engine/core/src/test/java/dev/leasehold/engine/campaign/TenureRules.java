package dev.leasehold.engine.campaign;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A tenure ends once, and nothing is done under it afterwards. A claim follows a release, an expiry or a tenure
 * that a handle kept; a take-over follows none that was released or expired.
 */
final class TenureRules {

    private TenureRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        return Stream.of(usedAfterTheEnd(lease), endedTwice(lease), successions(lease))
                .flatMap(each -> each);
    }

    private static Stream<String> usedAfterTheEnd(LeaseEvidence lease) {
        return lease.calls(call -> call.operation() == Operation.EXTEND || call.operation() == Operation.RELEASE)
                .filter(call -> call.isYes()
                        && call.asked().atNanos()
                                > lease.overByNanos(call.asked().token()))
                .map(call -> "a yes under a tenure that was over: " + call);
    }

    private static Stream<String> endedTwice(LeaseEvidence lease) {
        Map<Long, Call> first = new HashMap<>();
        return lease.calls(call -> call.operation().makesVacant() && call.isYes())
                .filter(call -> first.putIfAbsent(call.grantedToken(), call) != null)
                .map(call -> "a tenure ended twice: " + call + " and " + first.get(call.grantedToken()));
    }

    private static Stream<String> successions(LeaseEvidence lease) {
        Set<Long> ended = new HashSet<>();
        Set<Long> perhapsEnded = new HashSet<>();
        lease.calls(call -> call.operation().makesVacant()).forEach(call -> {
            if (call.isYes()) {
                ended.add(call.grantedToken());
            } else if (call.isOpen() && call.operation() == Operation.RELEASE) {
                perhapsEnded.add(call.asked().token());
            }
        });
        boolean anyPerhapsEnded = lease.calls(call -> call.operation() == Operation.EXPIRE && call.isOpen())
                .findAny()
                .isPresent();
        return lease.begins()
                .filter(call -> call.isYes() && call.grantedToken() > 1)
                .flatMap(call -> {
                    long former = call.grantedToken() - 1;
                    if (call.operation() == Operation.TAKE_OVER) {
                        return ended.contains(former)
                                ? Stream.of("an acknowledged end is lost before " + call)
                                : Stream.empty();
                    }
                    boolean mayBeVacant = call.operation() == Operation.ACQUIRE
                            || lease.isAcquired(former)
                            || ended.contains(former)
                            || perhapsEnded.contains(former)
                            || anyPerhapsEnded;
                    return mayBeVacant ? Stream.empty() : Stream.of("nobody was told of the end before " + call);
                });
    }
}
