package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.CorruptDocumentException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every operation on every kind of lease, before, at and one nanosecond after the bound: refused why, or which write. */
class LeaseRulesEveryCaseTest {

    private static final long BOUND = Z + 60 * SECOND;

    private static final List<Request> REQUESTS = List.of(
            new Request.Claim(NAME, "h2", SECOND, null),
            new Request.TakeOver(NAME, "h2", SECOND, null),
            new Request.Extend(tenure("h", 3), 120 * SECOND),
            new Request.Release(tenure("h", 3)),
            new Request.Expire(NAME),
            new Request.Remove(NAME),
            new Request.ForceExpire(NAME, "it hangs"),
            new Request.Pin(NAME, "ops", true));

    @ParameterizedTest(name = "{0}, {1} the bound")
    @CsvSource(delimiter = '|', textBlock = """
            #lease                  | now    | claim            | take over     | extend        | release       | expire        | remove        | force expire  | pin
            absent                  | at     | Insert           | NO_SUCH_LEASE | NO_SUCH_LEASE | NO_SUCH_LEASE | NO_SUCH_LEASE | NO_SUCH_LEASE | NO_SUCH_LEASE | NO_SUCH_LEASE
            corrupt                 | at     | corrupt          | corrupt       | corrupt       | corrupt       | corrupt       | corrupt       | corrupt       | corrupt
            own vacant              | before | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | VACANT        | Pin
            own vacant              | at     | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | VACANT        | Pin
            own vacant              | after  | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | Remove        | VACANT        | Pin
            foreign vacant          | before | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | VACANT        | Pin
            foreign vacant          | at     | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | VACANT        | Pin
            foreign vacant          | after  | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | Remove        | VACANT        | Pin
            own kept free           | before | NOT_YET          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | Replace       | Pin
            own kept free           | at     | NOT_YET          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | Replace       | Pin
            own kept free           | after  | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | VACANT        | Pin
            foreign kept free       | before | NOT_YET          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | Replace       | Pin
            foreign kept free       | at     | NOT_YET          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | Replace       | Pin
            foreign kept free       | after  | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | VACANT        | Pin
            pinned foreign kept free | at     | NOT_YET          | VACANT        | VACANT        | VACANT        | VACANT        | PINNED        | Replace       | Pin
            pinned foreign kept free | after  | PINNED           | VACANT        | VACANT        | VACANT        | VACANT        | PINNED        | VACANT        | Pin
            own held                | before | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            own held                | at     | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            own held                | after  | HELD_PAST_EXPIRY | Replace       | Replace       | Replace       | Replace       | HELD          | Replace       | Pin
            foreign held            | before | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            foreign held            | at     | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            foreign held            | after  | HELD_PAST_EXPIRY | Replace       | Replace       | Replace       | Replace       | HELD          | Replace       | Pin
            own session             | before | HELD             | NOT_EXPIRED   | SESSION_LEASE | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            own session             | after  | HELD             | NOT_EXPIRED   | SESSION_LEASE | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            foreign session         | before | HELD             | NOT_EXPIRED   | SESSION_LEASE | SESSION_LEASE | NOT_EXPIRED   | HELD          | Replace       | Pin
            foreign session         | at     | HELD             | NOT_EXPIRED   | SESSION_LEASE | SESSION_LEASE | NOT_EXPIRED   | HELD          | Replace       | Pin
            foreign session         | after  | HELD_PAST_EXPIRY | Replace       | SESSION_LEASE | SESSION_LEASE | Replace       | HELD          | Replace       | Pin
            endless session         | after  | HELD             | NOT_EXPIRED   | SESSION_LEASE | SESSION_LEASE | NOT_EXPIRED   | HELD          | Replace       | Pin
            orphaned session        | after  | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED   | VACANT        | Pin
            pinned own vacant       | before | PINNED           | VACANT        | VACANT        | VACANT        | VACANT        | PINNED        | VACANT        | Pin
            pinned foreign vacant   | after  | PINNED           | VACANT        | VACANT        | VACANT        | VACANT        | PINNED        | VACANT        | Pin
            pinned own held         | before | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            pinned own held         | after  | HELD_PAST_EXPIRY | PINNED        | Replace       | Replace       | PINNED        | HELD          | Replace       | Pin
            pinned foreign held     | before | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            pinned foreign held     | after  | HELD_PAST_EXPIRY | PINNED        | Replace       | Replace       | PINNED        | HELD          | Replace       | Pin
            pinned own session      | after  | HELD             | NOT_EXPIRED   | SESSION_LEASE | Replace       | NOT_EXPIRED   | HELD          | Replace       | Pin
            pinned foreign session  | before | HELD             | NOT_EXPIRED   | SESSION_LEASE | SESSION_LEASE | NOT_EXPIRED   | HELD          | Replace       | Pin
            pinned foreign session  | after  | HELD_PAST_EXPIRY | PINNED        | SESSION_LEASE | SESSION_LEASE | PINNED        | HELD          | Replace       | Pin
            pinned orphaned session | after  | PINNED           | VACANT        | VACANT        | VACANT        | VACANT        | PINNED        | VACANT        | Pin
            """)
    void isDecidedLikeThis(
            String lease,
            String now,
            String claim,
            String takeOver,
            String extend,
            String release,
            String expire,
            String remove,
            String forceExpire,
            String pin) {
        DecisionContext context = at(Fixture.instant(now, BOUND));

        List<String> decisions = REQUESTS.stream()
                .map(request ->
                        LeaseRules.decide(request, Fixture.observed(lease, BOUND), context, LocalKnowledge.NOTHING))
                .map(LeaseRulesEveryCaseTest::inShort)
                .toList();

        assertThat(decisions).containsExactly(claim, takeOver, extend, release, expire, remove, forceExpire, pin);
    }

    private static String inShort(Decision decision) {
        if (decision instanceof Decision.Refused refused) {
            return refused.refusal().reason().name();
        }
        if (decision instanceof Decision.Impossible impossible) {
            return impossible.cause() instanceof CorruptDocumentException ? "corrupt" : "impossible";
        }
        return decision instanceof Decision.Write write
                ? write.write().getClass().getSimpleName()
                : decision.getClass().getSimpleName();
    }
}
