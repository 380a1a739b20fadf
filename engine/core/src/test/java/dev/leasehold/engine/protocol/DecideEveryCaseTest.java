package dev.leasehold.engine.protocol;

import static dev.leasehold.engine.protocol.Fixture.ME;
import static dev.leasehold.engine.protocol.Fixture.NAME;
import static dev.leasehold.engine.protocol.Fixture.OTHER;
import static dev.leasehold.engine.protocol.Fixture.SECOND;
import static dev.leasehold.engine.protocol.Fixture.Z;
import static dev.leasehold.engine.protocol.Fixture.at;
import static dev.leasehold.engine.protocol.Fixture.foreign;
import static dev.leasehold.engine.protocol.Fixture.held;
import static dev.leasehold.engine.protocol.Fixture.own;
import static dev.leasehold.engine.protocol.Fixture.tenure;
import static dev.leasehold.engine.protocol.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.protocol.Sighting.Lease;
import dev.leasehold.engine.time.SafeAfter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every operation on every kind of lease, before, at and one nanosecond after the bound: refused why, or which write. */
class DecideEveryCaseTest {

    private static final long BOUND = Z + 60 * SECOND;

    private static final List<Request> REQUESTS = List.of(
            new Request.Claim(NAME, "h2", SECOND, null),
            new Request.TakeOver(NAME, "h2", SECOND, null),
            new Request.Extend(tenure("h", 3), 120 * SECOND),
            new Request.Release(tenure("h", 3)),
            new Request.Expire(NAME),
            new Request.Remove(NAME));

    @ParameterizedTest(name = "{0}, {1} the bound")
    @CsvSource(delimiter = '|', textBlock = """
            #lease           | now    | claim            | take over     | extend        | release       | expire        | remove
            absent           | at     | Insert           | NO_SUCH_LEASE | NO_SUCH_LEASE | NO_SUCH_LEASE | NO_SUCH_LEASE | NO_SUCH_LEASE
            corrupt          | at     | corrupt          | corrupt       | corrupt       | corrupt       | corrupt       | corrupt
            own vacant       | before | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED
            own vacant       | at     | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED
            own vacant       | after  | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | Remove
            foreign vacant   | before | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED
            foreign vacant   | at     | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED
            foreign vacant   | after  | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | Remove
            own held         | before | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD
            own held         | at     | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD
            own held         | after  | HELD_PAST_EXPIRY | Replace       | Replace       | Replace       | Replace       | HELD
            foreign held     | before | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD
            foreign held     | at     | HELD             | NOT_EXPIRED   | Replace       | Replace       | NOT_EXPIRED   | HELD
            foreign held     | after  | HELD_PAST_EXPIRY | Replace       | Replace       | Replace       | Replace       | HELD
            own session      | after  | HELD             | SESSION_LEASE | SESSION_LEASE | SESSION_LEASE | SESSION_LEASE | HELD
            foreign session  | after  | HELD             | SESSION_LEASE | SESSION_LEASE | SESSION_LEASE | SESSION_LEASE | HELD
            orphaned session | after  | Replace          | VACANT        | VACANT        | VACANT        | VACANT        | NOT_EXPIRED
            """)
    void isDecidedLikeThis(
            String lease,
            String now,
            String claim,
            String takeOver,
            String extend,
            String release,
            String expire,
            String remove) {
        Situation situation = at(instant(now));

        List<String> decisions = REQUESTS.stream()
                .map(request -> Decide.decide(request, sighting(lease), situation, null))
                .map(DecideEveryCaseTest::inShort)
                .toList();

        assertThat(decisions).containsExactly(claim, takeOver, extend, release, expire, remove);
    }

    private static long instant(String now) {
        return switch (now) {
            case "before" -> BOUND - 1;
            case "at" -> BOUND;
            default -> BOUND + 1;
        };
    }

    private static Sighting sighting(String lease) {
        return switch (lease) {
            case "absent" -> new Sighting.Nothing(NAME);
            case "corrupt" -> new Sighting.Unusable(NAME, "billing#nightly", "token", "missing");
            case "own vacant" -> own(vacant(ME, Z), BOUND);
            case "foreign vacant" -> foreign(vacant(OTHER, Z), BOUND);
            case "own held" -> own(held(ME, Z, BOUND), BOUND);
            case "foreign held" -> foreign(held(OTHER, Z, 17L), BOUND);
            case "own session" -> own(held(ME, Z, null), SafeAfter.NEVER);
            case "foreign session" -> foreign(held(OTHER, Z, null), SafeAfter.NEVER);
            case "orphaned session" -> new Lease(held(OTHER, Z, null), false, true, SafeAfter.NEVER, null);
            default -> throw new IllegalArgumentException(lease);
        };
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
