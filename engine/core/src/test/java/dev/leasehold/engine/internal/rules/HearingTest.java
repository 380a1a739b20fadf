package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.own;
import static dev.leasehold.engine.internal.rules.Fixture.published;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static dev.leasehold.engine.internal.rules.Fixture.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.time.Validity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an engine takes a lease to be granted to a ticket of its own. */
class HearingTest {

    private static final long BOUND = Z + 60;

    /** For h, under its ticket of instant 17. */
    private static final Lease GRANTED = published(own(held(ME, 17, null), BOUND), 4, null);

    private static final LocalKnowledge SESSION_VALID = new LocalKnowledge(null, false, true, null);

    @Test
    @DisplayName("A grant needs no write, is valid by the session, and takes the stripes from the document")
    void grantIsHeardWithoutAWrite() {
        assertThat(hear("h", 17L, GRANTED, SESSION_VALID))
                .isEqualTo(new Decision.AlreadySo(tenure("h", 3), new HoldBasis.Session(), 4));
    }

    @Test
    @DisplayName("It is heard too where no validity shows that tenure, but never in place of it the next one")
    void grantIsNotReplacedByTheNextTenure() {
        assertThat(hear("h", 17L, GRANTED, new LocalKnowledge(null, true, true, null)))
                .isInstanceOf(Decision.AlreadySo.class);
        assertThat(reason(hear("h", 17L, GRANTED, new LocalKnowledge(null, true, false, null))))
                .isEqualTo(Reason.HELD);
    }

    @Test
    @DisplayName("Hearing is no sign of life: without a valid session the lease counts as held")
    void grantIsNotHeardWithoutAValidSession() {
        assertThat(reason(hear("h", 17L, GRANTED, new LocalKnowledge(null, false, false, null))))
                .isEqualTo(Reason.HELD);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("Whatever is not exactly the grant to an open ticket of that holder counts as held")
    @CsvSource({
        "no ticket, h, ",
        "a ticket of another stamp, h, 18",
        "a ticket of another holder, h2, 17",
        "of a former writer, h, 17",
        "for a term, h, 17"
    })
    void anythingElseIsHeld(String words, String holder, @Nullable Long ticketNanos) {
        Lease lease = switch (words) {
            case "of a former writer" -> new Lease(held(OTHER, 17, null), false, false, BOUND, Fixture.SESSION_SEEN);
            case "for a term" -> own(held(ME, 17, BOUND), BOUND);
            default -> GRANTED;
        };

        assertThat(reason(hear(holder, ticketNanos, lease, SESSION_VALID))).isEqualTo(Reason.HELD);
    }

    @Test
    @DisplayName("An extension that needs no write tells no stripes: there are none, or its handles know them")
    void extensionWithoutAWriteTellsNoStripes() {
        Lease term = own(held(ME, Z, BOUND), BOUND);
        Validity validity = Validity.from(Z, Z, 60);

        assertThat(LeaseRules.decide(
                        new Request.Extend(tenure("h", 3), 60),
                        term,
                        at(Z),
                        new LocalKnowledge(validity, false, false, null)))
                .isEqualTo(new Decision.AlreadySo(tenure("h", 3), new HoldBasis.Term(validity), 0));
    }

    private static Decision hear(String holder, @Nullable Long ticketNanos, Lease lease, LocalKnowledge knowledge) {
        return LeaseRules.decide(waiting(holder, 0, ticketNanos), lease, at(Z), knowledge);
    }

    private static Reason reason(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Refused.class);
        return ((Decision.Refused) decision).refusal().reason();
    }
}
