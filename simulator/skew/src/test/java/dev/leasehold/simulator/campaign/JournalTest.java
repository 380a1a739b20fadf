package dev.leasehold.simulator.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JournalTest {

    private static final HeldTenure TENURE = new HeldTenure("red", "p2.3.1-7", 4);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Journal journal =
            new Journal(new ProcessName(2, 3), new PrintStream(bytes, true, StandardCharsets.UTF_8));

    static List<Event> events() {
        Answer.Shown shown = new Answer.Shown("red", null, 4, false, true, Long.MAX_VALUE);
        return List.of(
                new Event.Started(-5, 2, 3, 7),
                new Event.Called(1, 8, 2, 3, new Operation(Kind.ACQUIRE, "red", "p2", null, 250, true, 9)),
                new Event.Answered(2, 8, new Answer(Answer.Kind.NO, null, "HELD", List.of(shown))),
                new Event.Resolved(3, 8, new Answer(Answer.Kind.YES, TENURE, null, List.of())),
                new Event.ValidUntil(4, 2, 3, TENURE, 11),
                new Event.ValidityEnded(5, 2, 3, TENURE),
                new Event.Lost(6, 2, 3, 8, TENURE, "EXPIRED"),
                new Event.Fault(7, 2, "PAUSE", 10),
                new Event.Stopped(8, 2, 3, false));
    }

    @ParameterizedTest
    @MethodSource("events")
    void aLineIsReadAsWhatWasWritten(Event event) {
        journal.write(event);
        assertThat(Journal.parse(bytes.toString(StandardCharsets.UTF_8).strip()))
                .isEqualTo(event);
    }

    @Test
    void anythingElseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Journal.parse("ready"))
                .withMessageContaining("'ready'");
    }

    @Test
    void aCallNamesItsProcess() {
        int call = journal.called(new Operation(Kind.EXPIRE, "red", null, null, 0, false));
        int next = journal.called(new Operation(Kind.EXPIRE, "red", null, null, 0, false));
        assertThat(next).isNotEqualTo(call);
        assertThat(Journal.processOf(next)).isEqualTo(new ProcessName(2, 3));
    }

    @Test
    void aWriterNamesItsProcess() {
        assertThat(ProcessName.of("p2.3")).isEqualTo(ProcessName.of("p2~3#5d0c8e1b"));
        assertThat(ProcessName.find("m2#2i3n0")).isNull();
    }
}
