package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Entry.Told;
import java.util.List;
import java.util.stream.Stream;

/** Answers are of the known kinds, and final. */
final class AnswerRules {

    private AnswerRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        return Stream.of(ofNoKnownKind(lease), takenBack(lease), anotherTenure(lease))
                .flatMap(each -> each);
    }

    private static Stream<String> ofNoKnownKind(LeaseEvidence lease) {
        return lease.calls(call -> call.told().stream().anyMatch(told -> told.verdict() == Verdict.UNPROMISED))
                .map(call -> "an answer of no known kind: " + call);
    }

    private static Stream<String> takenBack(LeaseEvidence lease) {
        return lease.calls(call -> call.told().size() > 1 && !firstIsUnknownAndSecondIsLast(call.told()))
                .map(call -> "a final answer was not the last one: " + call);
    }

    private static boolean firstIsUnknownAndSecondIsLast(List<Told> told) {
        return told.size() == 2 && told.get(0).verdict() == Verdict.UNKNOWN;
    }

    private static Stream<String> anotherTenure(LeaseEvidence lease) {
        return lease.calls(call -> call.isYes()
                        && call.asked().token() > 0
                        && call.grantedToken() != call.asked().token())
                .map(call -> "a yes that speaks of another tenure: " + call);
    }
}
