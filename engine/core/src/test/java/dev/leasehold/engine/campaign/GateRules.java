package dev.leasehold.engine.campaign;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** No gated transaction commits under a tenure that has ended; and each has the effect that its caller was told of. */
final class GateRules {

    private GateRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        return Stream.of(outOfOrder(lease), halfDone(lease), otherThanTold(lease), afterTheEnd(lease))
                .flatMap(each -> each);
    }

    private static List<GatedWrite> inOrder(LeaseEvidence lease) {
        return lease.writes().stream()
                .sorted(Comparator.comparingLong(GatedWrite::sequence))
                .toList();
    }

    private static Stream<String> outOfOrder(LeaseEvidence lease) {
        Stream.Builder<String> violations = Stream.builder();
        GatedWrite former = null;
        for (GatedWrite write : inOrder(lease)) {
            if (former != null && write.token() < former.token()) {
                violations.add("a gated write under an ended token: " + write + " after " + former);
            }
            former = write;
        }
        return violations.build();
    }

    /** A transaction draws its number and writes its document, or neither. */
    private static Stream<String> halfDone(LeaseEvidence lease) {
        List<Long> found = inOrder(lease).stream().map(GatedWrite::sequence).toList();
        List<Long> drawn =
                LongStream.rangeClosed(1, lease.stored().gatedWrites()).boxed().toList();
        return found.equals(drawn)
                ? Stream.empty()
                : Stream.of("the gated writes of '%s' are not numbered from 1 to %d: %s"
                        .formatted(lease.name(), lease.stored().gatedWrites(), found));
    }

    private static Stream<String> otherThanTold(LeaseEvidence lease) {
        Map<String, Long> written = new HashMap<>();
        lease.writes().forEach(write -> written.merge(write.call(), 1L, Long::sum));
        Map<String, Call> asked = new HashMap<>();
        lease.calls(call -> call.operation() == Operation.GATE)
                .forEach(call -> asked.put(call.asked().call(), call));
        Stream<String> unasked = lease.writes().stream()
                .filter(write -> !asked.containsKey(write.call())
                        || asked.get(write.call()).asked().token() != write.token())
                .map(write -> "a gated write that nobody asked for: " + write);
        Stream<String> wrong = asked.values().stream()
                .filter(call -> !fits(call, written.getOrDefault(call.asked().call(), 0L)))
                .map(call -> "written " + written.getOrDefault(call.asked().call(), 0L) + " times: " + call);
        return Stream.concat(unasked, wrong);
    }

    private static boolean fits(Call call, long times) {
        return switch (call.verdict()) {
            case YES -> times == 1;
            case NO -> times == 0;
            default -> times <= 1;
        };
    }

    private static Stream<String> afterTheEnd(LeaseEvidence lease) {
        Map<String, Call> asked = new HashMap<>();
        lease.calls(call -> call.operation() == Operation.GATE)
                .forEach(call -> asked.put(call.asked().call(), call));
        return lease.writes().stream()
                .filter(write -> asked.containsKey(write.call()))
                .filter(write -> asked.get(write.call()).asked().atNanos() > lease.overByNanos(write.token()))
                .map(write -> "a gated write that began when its tenure was over: " + asked.get(write.call()));
    }
}
