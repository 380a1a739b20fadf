package dev.leasehold.engine.campaign;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Checks what processes were told, and what is stored in the end, against what is promised. */
final class Promises {

    private static final List<Function<LeaseEvidence, Stream<String>>> RULES = List.of(
            AnswerRules::violations,
            TokenRules::violations,
            TenureRules::violations,
            TermRules::violations,
            GateRules::violations,
            BeliefRules::violations,
            LossRules::violations,
            HistoryRules::violations);

    private Promises() {}

    /** One sentence for each promise that was broken. */
    static List<String> violations(Evidence evidence) {
        return evidence.byLease().stream()
                .flatMap(lease -> RULES.stream().flatMap(rule -> rule.apply(lease)))
                .toList();
    }
}
