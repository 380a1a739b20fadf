package dev.leasehold.simulator.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is counted in a history. */
class MeasurementTest {

    private static final Operation GATE =
            new Operation(Operation.Kind.GATE, "lease-0", "h", new HeldTenure("lease-0", "h", 1), 0, false);

    private final List<Event> events = new ArrayList<>();

    private void begins(int call) {
        events.add(new Event.Called(0, call, 0, 0, GATE));
        sends("caller's read");
    }

    private void sends(String what) {
        events.add(new Event.Message(0, 0, events.size(), Event.Leg.SENT, what));
    }

    private void ends(int call, Answer.Kind kind, @Nullable String reason) {
        events.add(new Event.Answered(0, call, new Answer(kind, null, reason, List.of())));
    }

    private Estimate.Line measured() {
        Measurement measurement = new Measurement();
        measurement.add(new History(PlanGenerator.draw(Profile.CALM, 1, 1_000), events, List.of(), 1));
        return measurement.line(LeaseKind.TERM, HolderCase.WORKS);
    }

    @Test
    void aBodyThatRunsAgainIsCountedBesideOnesThatAreRefused() {
        begins(0);
        sends("caller's read");
        ends(0, Answer.Kind.YES, null);
        for (int call = 1; call < 4; call++) {
            begins(call);
            sends("caller's find");
            ends(call, Answer.Kind.NO, "NOT_HELD");
        }

        assertThat(measured().gates()).isEqualTo(4);
        assertThat(measured().refused()).isEqualTo(3);
        assertThat(measured().retries()).isEqualTo(1);
    }

    @Test
    void aBodyThatIsStillUnderWayDidNotRunAgain() {
        begins(0);

        assertThat(measured().gates()).isZero();
        assertThat(measured().retries()).isZero();
    }
}
