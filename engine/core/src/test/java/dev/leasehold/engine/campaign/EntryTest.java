package dev.leasehold.engine.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EntryTest {

    static Entry[] entries() {
        return new Entry[] {
            new Entry.Asked("p1-7", Operation.TAKE_OVER, "lease", "p1", 3, 250_000_000, -5),
            new Entry.Told("p1-7", Verdict.NO, 0, "NOT_EXPIRED", Long.MAX_VALUE),
            new Entry.Seen("lease", "p2", 4, "p2-1"),
            new Entry.Valid("lease", "p2", 4, Long.MIN_VALUE, 8),
            new Entry.Lost("lease", "p2-1", 4, "NOT_RENEWED", 9),
            new Entry.Slept("p2", 10, 11)
        };
    }

    @ParameterizedTest
    @MethodSource("entries")
    void aLineIsReadAsWhatWasWritten(Entry entry) {
        assertThat(Entry.parse(entry.line())).isEqualTo(entry);
    }

    @Test
    void anythingElseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Entry.parse("ready"))
                .withMessageContaining("'ready'");
    }
}
