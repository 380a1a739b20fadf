package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.time.Validity;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every acquisition of every kind of lease, before, at and one nanosecond after the bound: refused why, or which tenure the
 * write answers and on what it rests.
 */
class AcquireEveryCaseTest {

    private static final long BOUND = Z + 60 * SECOND;

    @ParameterizedTest(name = "{0}, {1} the bound")
    @DisplayName(
            "HA-2, HA-5, HA-6, HA-7, HA-8, HA-25, SE-12: an acquisition by another holder, by the same, and by the same come back, for a term and by session")
    @CsvSource(delimiter = '|', textBlock = """
            #lease                  | now    | other, term         | other, session      | same, term          | same, session       | superseding, term   | superseding, session
            absent                  | at     | first OnTokenFloor  | first OnTokenFloor  | first OnTokenFloor  | first OnTokenFloor  | first OnTokenFloor  | first OnTokenFloor
            corrupt                 | at     | corrupt             | corrupt             | corrupt             | corrupt             | corrupt             | corrupt
            own vacant              | before | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone
            own vacant              | after  | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone
            foreign vacant          | before | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone
            foreign vacant          | after  | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone
            own kept free           | before | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET
            own kept free           | at     | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET
            own kept free           | after  | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry
            foreign kept free       | before | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET
            foreign kept free       | at     | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET
            foreign kept free       | after  | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry
            pinned own kept free    | at     | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET             | NOT_YET
            pinned own kept free    | after  | PINNED              | PINNED              | PINNED              | PINNED              | PINNED              | PINNED
            own held                | before | HELD                | HELD                | HELD                | HELD                | HELD                | HELD
            own held                | at     | HELD                | HELD                | HELD                | HELD                | HELD                | HELD
            own held                | after  | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry
            foreign held            | before | HELD                | HELD                | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry
            foreign held            | at     | HELD                | HELD                | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry
            foreign held            | after  | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry
            own session             | before | HELD                | HELD                | HELD                | HELD                | HELD                | HELD
            own session             | at     | HELD                | HELD                | HELD                | HELD                | HELD                | HELD
            own session             | after  | HELD                | HELD                | HELD                | HELD                | HELD                | HELD
            foreign session         | before | HELD                | HELD                | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry
            foreign session         | at     | HELD                | HELD                | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry
            foreign session         | after  | next OnEviction     | next OnEviction     | next OnEviction     | next OnEviction     | next OnEviction     | next OnEviction
            endless session         | after  | HELD                | HELD                | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry
            orphaned session        | at     | next OnAbsentWriter | next OnAbsentWriter | next OnAbsentWriter | next OnAbsentWriter | next OnAbsentWriter | next OnAbsentWriter
            pinned own vacant       | after  | PINNED              | PINNED              | PINNED              | PINNED              | PINNED              | PINNED
            pinned foreign vacant   | before | PINNED              | PINNED              | PINNED              | PINNED              | PINNED              | PINNED
            pinned own held         | at     | HELD                | HELD                | HELD                | HELD                | HELD                | HELD
            pinned own held         | after  | PINNED              | PINNED              | PINNED              | PINNED              | PINNED              | PINNED
            pinned foreign held     | at     | HELD                | HELD                | HELD                | HELD                | PINNED              | PINNED
            pinned foreign held     | after  | PINNED              | PINNED              | PINNED              | PINNED              | PINNED              | PINNED
            pinned own session      | after  | HELD                | HELD                | HELD                | HELD                | HELD                | HELD
            pinned foreign session  | at     | HELD                | HELD                | HELD                | HELD                | PINNED              | PINNED
            pinned foreign session  | after  | PINNED              | PINNED              | PINNED              | PINNED              | PINNED              | PINNED
            pinned endless session  | after  | HELD                | HELD                | HELD                | HELD                | PINNED              | PINNED
            pinned orphaned session | at     | PINNED              | PINNED              | PINNED              | PINNED              | PINNED              | PINNED
            """)
    void isDecidedLikeThis(
            String lease,
            String now,
            String otherTerm,
            String otherSession,
            String sameTerm,
            String sameSession,
            String superTerm,
            String superSession) {
        assertThat(decisions(lease, now, LocalKnowledge.NOTHING))
                .containsExactly(otherTerm, otherSession, sameTerm, sameSession, superTerm, superSession);
    }

    @ParameterizedTest(name = "{0}, {1} the bound, given up")
    @DisplayName(
            "HA-6: a tenure that is over here is never answered again: its holder begins the next, unless another engine wrote it last")
    @CsvSource(delimiter = '|', textBlock = """
            #lease                  | now    | other, term         | other, session      | same, term          | same, session       | superseding, term   | superseding, session
            own held                | at     | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry
            own held                | after  | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry
            foreign held            | at     | HELD                | HELD                | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry
            foreign held            | after  | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry     | next OnOwnEntry
            own session             | at     | HELD                | HELD                | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone
            own session             | after  | HELD                | HELD                | next OnOwnEntry     | next OnTheLeaseAlone | next OnOwnEntry     | next OnTheLeaseAlone
            foreign session         | at     | HELD                | HELD                | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry
            foreign session         | after  | next OnEviction     | next OnEviction     | next OnEviction     | next OnEviction     | next OnEviction     | next OnEviction
            endless session         | after  | HELD                | HELD                | HELD                | HELD                | next OnOwnEntry     | next OnOwnEntry
            pinned own held         | at     | HELD                | HELD                | PINNED              | PINNED              | PINNED              | PINNED
            pinned own session      | after  | HELD                | HELD                | PINNED              | PINNED              | PINNED              | PINNED
            """)
    void givenUpTenureMakesWayForItsOwnHolder(
            String lease,
            String now,
            String otherTerm,
            String otherSession,
            String sameTerm,
            String sameSession,
            String superTerm,
            String superSession) {
        assertThat(decisions(lease, now, new LocalKnowledge(null, true, false, null)))
                .containsExactly(otherTerm, otherSession, sameTerm, sameSession, superTerm, superSession);
    }

    @Test
    @DisplayName("HA-6: superseding takes nothing from another holder")
    void supersedingTakesNothingFromAnotherHolder() {
        Request request = new Request.Acquire(NAME, "h2", SECOND, null, 0, true, 0, 0, 0, null, 0, null);
        Decision decision =
                LeaseRules.decide(request, Fixture.observed("foreign held", BOUND), at(BOUND), LocalKnowledge.NOTHING);
        assertThat(inShort(decision)).isEqualTo("HELD");
    }

    @Test
    @DisplayName("HA-6: superseding takes nothing that this engine itself holds, be it by an earlier writer's write")
    void supersedingTakesNothingThatThisEngineHolds() {
        LocalKnowledge held = new LocalKnowledge(new Validity(BOUND + 1, BOUND + 1, 1), false, false, null);
        assertThat(decisions("foreign held", "at", held)).containsOnly("HELD");
    }

    private static List<String> decisions(String lease, String now, LocalKnowledge knowledge) {
        DecisionContext context = at(Fixture.instant(now, BOUND));
        return Stream.of(
                        acquire("h2", SECOND),
                        acquire("h2", null),
                        acquire("h", SECOND),
                        acquire("h", null),
                        superseding(SECOND),
                        superseding(null))
                .map(request -> LeaseRules.decide(request, Fixture.observed(lease, BOUND), context, knowledge))
                .map(AcquireEveryCaseTest::inShort)
                .toList();
    }

    private static Request acquire(String holder, @Nullable Long termNanos) {
        return new Request.Acquire(NAME, holder, termNanos, null);
    }

    private static Request superseding(@Nullable Long termNanos) {
        return new Request.Acquire(NAME, "h", termNanos, null, 0, true, 0, 0, 0, null, 0, null);
    }

    private static String inShort(Decision decision) {
        if (decision instanceof Decision.Refused refused) {
            return refused.refusal().reason().name();
        }
        if (decision instanceof Decision.Impossible impossible) {
            return impossible.cause() instanceof CorruptDocumentException ? "corrupt" : "impossible";
        }
        return decision instanceof Decision.Write write
                ? tenure(write) + " " + write.dependency().getClass().getSimpleName()
                : "already so";
    }

    private static String tenure(Decision.Write write) {
        return switch ((int) write.tenure().token()) {
            case 4 -> "next";
            default -> "first";
        };
    }
}
