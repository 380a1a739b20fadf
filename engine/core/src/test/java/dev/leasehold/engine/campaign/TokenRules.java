package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Entry.Seen;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A token is one tenure, later tenures have greater tokens, and there are as many tenures as calls that began one: nothing
 * acknowledged is lost, and nothing is applied twice, or though it was refused.
 */
final class TokenRules {

    private TokenRules() {}

    static Stream<String> violations(LeaseEvidence lease) {
        return Stream.of(grantedTwice(lease), goneBack(lease), lost(lease), unexplained(lease), seenOtherwise(lease))
                .flatMap(each -> each);
    }

    private static Stream<String> grantedTwice(LeaseEvidence lease) {
        Map<Long, Call> first = new HashMap<>();
        return lease.begins()
                .filter(Call::isYes)
                .filter(call -> first.putIfAbsent(call.grantedToken(), call) != null)
                .map(call -> "two tenures share a token: " + call + " and " + first.get(call.grantedToken()));
    }

    /** A tenure that was asked for when another one had been granted has the greater token. */
    private static Stream<String> goneBack(LeaseEvidence lease) {
        Iterator<Call> done =
                granted(lease, Comparator.comparingLong(Call::doneByNanos)).iterator();
        Stream.Builder<String> violations = Stream.builder();
        Call next = done.hasNext() ? done.next() : null;
        Call greatest = null;
        for (Call call :
                granted(lease, Comparator.comparingLong(later -> later.asked().atNanos()))) {
            while (next != null && next.doneByNanos() < call.asked().atNanos()) {
                greatest = greatest == null || next.grantedToken() > greatest.grantedToken() ? next : greatest;
                next = done.hasNext() ? done.next() : null;
            }
            if (greatest != null && call.grantedToken() <= greatest.grantedToken()) {
                violations.add("a later tenure has no greater token: " + call + " after " + greatest);
            }
        }
        return violations.build();
    }

    private static List<Call> granted(LeaseEvidence lease, Comparator<Call> order) {
        return lease.begins().filter(Call::isYes).sorted(order).toList();
    }

    private static Stream<String> lost(LeaseEvidence lease) {
        return lease.begins()
                .filter(call ->
                        call.isYes() && call.grantedToken() > lease.stored().token())
                .map(call -> "an acknowledged tenure is lost, the stored token is "
                        + lease.stored().token() + ": " + call);
    }

    private static Stream<String> unexplained(LeaseEvidence lease) {
        Set<Long> explained = new HashSet<>();
        lease.begins().filter(Call::isYes).forEach(call -> explained.add(call.grantedToken()));
        long[] unexplained = LongStream.rangeClosed(1, lease.stored().token())
                .filter(token -> !explained.contains(token))
                .toArray();
        long open = lease.begins().filter(Call::isOpen).count();
        return unexplained.length <= open
                ? Stream.empty()
                : Stream.of("tenures of '%s' that nobody was granted: tokens %s, with %d outcomes unknown"
                        .formatted(
                                lease.name(), LongStream.of(unexplained).boxed().toList(), open));
    }

    private static Stream<String> seenOtherwise(LeaseEvidence lease) {
        Map<String, Call> begins = new HashMap<>();
        lease.begins().forEach(call -> begins.put(call.asked().call(), call));
        Map<Long, Seen> byToken = new HashMap<>();
        return lease.seen().stream().flatMap(seen -> {
            Seen former = byToken.putIfAbsent(seen.token(), seen);
            Stream<String> changed = former == null || former.equals(seen)
                    ? Stream.empty()
                    : Stream.of("one token was seen for two tenures: " + former.line() + " and " + seen.line());
            return Stream.concat(changed, seenWithoutYes(seen, begins.get(seen.call())));
        });
    }

    private static Stream<String> seenWithoutYes(Seen seen, Call call) {
        if (call == null) {
            return Stream.of("a tenure that nobody asked for: " + seen.line());
        }
        boolean fits = call.asked().holder().equals(seen.holder())
                && (call.isOpen() || call.isYes() && call.grantedToken() == seen.token());
        return fits ? Stream.empty() : Stream.of("a tenure against the answer: " + seen.line() + " by " + call);
    }
}
