package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A forced expiry that names a tenure ends that tenure and no other. */
class ForcedExpiryRulesTest {

    private static final Tenure HELD = tenure("h", 3);

    @ParameterizedTest
    @ValueSource(strings = {"own held", "foreign held", "own session", "foreign session", "pinned foreign held"})
    void tenureThatHoldsIsEnded(String lease) {
        assertThat(decide(HELD, lease)).isInstanceOf(Decision.Write.class);
    }

    @ParameterizedTest
    @CsvSource({"h, 2", "h, 4", "h2, 3"})
    void anotherTenureIsLeftAlone(String holder, long token) {
        assertThat(reason(decide(tenure(holder, token), "foreign held"))).isEqualTo(Refusal.Reason.NOT_THAT_TENURE);
    }

    @ParameterizedTest
    @DisplayName("A lease that is only kept free has no tenure to end")
    @ValueSource(strings = {"foreign vacant", "foreign kept free", "own kept free", "orphaned session"})
    void vacantLeaseIsLeftAlone(String lease) {
        assertThat(reason(decide(HELD, lease))).isEqualTo(Refusal.Reason.VACANT);
    }

    private static Decision decide(Tenure tenure, String lease) {
        return LeaseRules.decide(
                new Request.ForceExpire(NAME, "it hangs", tenure),
                Fixture.observed(lease, Z + 60),
                at(Z),
                LocalKnowledge.NOTHING);
    }

    private static Refusal.Reason reason(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Refused.class);
        return ((Decision.Refused) decision).refusal().reason();
    }
}
