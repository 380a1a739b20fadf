package dev.leasehold.engine.campaign;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Checks what processes were told, and what is stored in the end, against the guarantees. */
final class Guarantees {

    private static final List<Function<LeaseEvidence, Stream<String>>> RULES = List.of(
            AnswerRules::violations,
            TokenRules::violations,
            TenureRules::violations,
            TermRules::violations,
            GateRules::violations,
            ValidityRules::violations,
            LossRules::violations,
            HistoryRules::violations);

    private Guarantees() {}

    /** One sentence for each guarantee that was broken. */
    static List<String> violations(Evidence evidence) {
        return evidence.byLease().stream()
                .flatMap(lease -> RULES.stream().flatMap(rule -> rule.apply(lease)))
                .toList();
    }
}
