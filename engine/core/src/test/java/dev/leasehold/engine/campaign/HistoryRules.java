package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Change.GateWritten;
import dev.leasehold.engine.campaign.Change.LeaseWritten;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the database has seen is what the callers were told: each acknowledged operation once, each refused one never; and
 * every gated transaction was committed while its tenure stood.
 */
final class HistoryRules {

    private final LeaseEvidence lease;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Long> begun = new HashMap<>();
    private final Set<Long> ended = new HashSet<>();
    private final Map<Long, Long> extended = new HashMap<>();
    private @Nullable String holder;
    private long token;

    private HistoryRules(LeaseEvidence lease) {
        this.lease = lease;
    }

    static Stream<String> violations(LeaseEvidence lease) {
        HistoryRules rules = new HistoryRules(lease);
        lease.history().forEach(rules::follow);
        rules.compareWithAnswers();
        return rules.violations.stream();
    }

    private void follow(Change change) {
        if (change instanceof GateWritten gate && (holder == null || gate.token() != token)) {
            violations.add("a gated transaction was committed when its tenure was over: %s, token %d was held by %s"
                    .formatted(gate, token, holder == null ? "nobody" : holder));
        }
        if (change instanceof LeaseWritten written) {
            follow(written);
            holder = written.holder();
            token = written.token();
        }
    }

    private void follow(LeaseWritten written) {
        if (written.token() == token + 1 && written.holder() != null) {
            begin(written);
        } else if (written.token() == token && holder != null && written.holder() == null) {
            ended.add(token);
        } else if (written.token() == token && holder != null && holder.equals(written.holder())) {
            extended.merge(token, 1L, Long::sum);
        } else {
            violations.add("a write that no operation makes: " + written + " after token " + token + " of " + holder);
        }
    }

    private void begin(LeaseWritten written) {
        String call = String.valueOf(written.call());
        Long former = begun.put(call, written.token());
        if (former != null) {
            violations.add("call '" + call + "' began two tenures, " + former + " and " + written.token());
        }
    }

    private void compareWithAnswers() {
        compareBegins();
        compareEnds();
        compareExtensions();
        if (token != lease.stored().token()) {
            violations.add("the history ends with token " + token + ", stored is " + lease.stored());
        }
    }

    private void compareBegins() {
        lease.begins().forEach(call -> {
            Long landed = begun.remove(call.asked().call());
            boolean fits =
                    landed == null ? !call.isYes() : call.isOpen() || call.isYes() && call.grantedToken() == landed;
            if (!fits) {
                violations.add("landed under token " + landed + ": " + call);
            }
        });
        begun.forEach((call, landed) -> violations.add("tenure " + landed + " was begun by nobody, but by " + call));
    }

    private void compareEnds() {
        Map<Long, Long> told = count(call -> call.operation().makesVacant() && call.isYes(), Call::grantedToken);
        Map<Long, Long> open =
                count(call -> call.operation() == Operation.RELEASE && call.isOpen(), HistoryRules::asked);
        boolean anyOpen = lease.calls(call -> call.operation() == Operation.EXPIRE && call.isOpen())
                .findAny()
                .isPresent();
        told.keySet().stream()
                .filter(each -> !ended.contains(each))
                .forEach(each ->
                        violations.add("an acknowledged end never happened: '" + lease.name() + "' token " + each));
        ended.stream()
                .filter(each ->
                        !told.containsKey(each) && !open.containsKey(each) && !anyOpen && !lease.isAcquired(each))
                .forEach(
                        each -> violations.add("an end that nobody was told of: '" + lease.name() + "' token " + each));
    }

    /** Not each extension needs a write, and handles extend by themselves. */
    private void compareExtensions() {
        Map<Long, Long> told = count(call -> call.operation() == Operation.EXTEND && !call.isNo(), HistoryRules::asked);
        extended.forEach((each, times) -> {
            if (times > told.getOrDefault(each, 0L) && !lease.isAcquired(each)) {
                violations.add("extended %d times, told %d times: '%s' token %d"
                        .formatted(times, told.getOrDefault(each, 0L), lease.name(), each));
            }
        });
    }

    private static long asked(Call call) {
        return call.asked().token();
    }

    private Map<Long, Long> count(Predicate<Call> which, ToLongFunction<Call> tokenOf) {
        Map<Long, Long> counts = new HashMap<>();
        lease.calls(which).forEach(call -> counts.merge(tokenOf.applyAsLong(call), 1L, Long::sum));
        return counts;
    }
}
