package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.NO_DRIFT;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.entry;
import static dev.leasehold.engine.internal.rules.Fixture.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.ClockWrite.Clear;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which writers' entries may be cleared away. */
class StaleWritersTest {

    private static final String OWN = "own#1";

    private final Reader writers = new Reader(NO_DRIFT);

    /** Reads the whole clock document again and again. */
    private static final class Reader {

        private final Drift drift;
        private final WriterSights sights = new WriterSights(9);

        Reader(Drift drift) {
            this.drift = drift;
        }

        List<Clear> among(List<WriterEntry> entries, String own, long nowNanos) {
            sights.sawAll(WriterSights.stampsNanos(entries), own, nowNanos);
            return sights.stale(entries, own, nowNanos, drift).stream()
                    .map(stale -> Clear.of(List.of(stale)))
                    .toList();
        }
    }

    private static Clear pruning(String writer, long timeNanos) {
        return new Clear(Map.of(writer, timeNanos), Map.of());
    }

    private static Clear eviction(String writer, long timeNanos) {
        return new Clear(Map.of(), Map.of(writer, timeNanos));
    }

    @Test
    void oneselfIsNeitherSilentNorOver() {
        for (WriterEntry own : List.of(entry(OWN, 17), session(OWN, 18))) {
            writers.among(List.of(own), OWN, Z);

            assertThat(writers.among(List.of(own), OWN, Z + 2 * HOUR)).isEmpty();
        }
    }

    @Test
    @DisplayName("SE-17: silent for an hour exactly is not silent for more than an hour")
    void exactlyOneHourIsNotYet() {
        writers.among(List.of(entry("w#1", 17)), OWN, Z);

        assertThat(writers.among(List.of(entry("w#1", 17)), OWN, Z + HOUR)).isEmpty();
        assertThat(writers.among(List.of(entry("w#1", 17)), OWN, Z + HOUR + 1)).containsExactly(pruning("w#1", 17));
    }

    @Test
    void firstReadProvesNothingHoweverOldTheStamp() {
        assertThat(writers.among(List.of(entry("w#1", 17)), OWN, Z)).isEmpty();
    }

    @Test
    void hourIsStretchedByTheDrift() {
        Reader drifting = new Reader(new Drift(1000));
        long stretchedNanos = 3_607_207_207_208L;
        drifting.among(List.of(entry("w#1", 17)), OWN, Z);

        assertThat(drifting.among(List.of(entry("w#1", 17)), OWN, Z + stretchedNanos))
                .isEmpty();
        assertThat(drifting.among(List.of(entry("w#1", 17)), OWN, Z + stretchedNanos + 1))
                .hasSize(1);
    }

    @Test
    void changedStampStartsTheHourAgain() {
        writers.among(List.of(entry("w#1", 17)), OWN, Z);
        writers.among(List.of(entry("w#1", 18)), OWN, Z + HOUR);

        assertThat(writers.among(List.of(entry("w#1", 18)), OWN, Z + HOUR + 1)).isEmpty();
        assertThat(writers.among(List.of(entry("w#1", 18)), OWN, Z + 2 * HOUR + 1))
                .containsExactly(pruning("w#1", 18));
    }

    @Test
    @DisplayName("SE-18: an entry with a session is never pruned, but evicted once its session has certainly run out")
    void overdueSessionIsEvicted() {
        List<WriterEntry> session = List.of(session("w#1", 17));
        writers.among(session, OWN, Z);

        assertThat(writers.among(session, OWN, Z + 30 * SECOND)).isEmpty();
        assertThat(writers.among(session, OWN, Z + 30 * SECOND + 1)).containsExactly(eviction("w#1", 17));
        assertThat(writers.among(session, OWN, Z + 24 * HOUR)).containsExactly(eviction("w#1", 17));
    }

    @Test
    void sessionLongerThanAnHourIsGivenItsTime() {
        List<WriterEntry> session = List.of(new WriterEntry.Sound("w#1", 17, null, 2 * HOUR, null));
        writers.among(session, OWN, Z);

        assertThat(writers.among(session, OWN, Z + 2 * HOUR)).isEmpty();
        assertThat(writers.among(session, OWN, Z + 2 * HOUR + 1)).containsExactly(eviction("w#1", 17));
    }

    @Test
    @DisplayName("SE-8: a heartbeat starts the session again")
    void heartbeatStartsTheSessionAgain() {
        writers.among(List.of(session("w#1", 17)), OWN, Z);
        writers.among(List.of(session("w#1", 18)), OWN, Z + 30 * SECOND);

        assertThat(writers.among(List.of(session("w#1", 18)), OWN, Z + 60 * SECOND))
                .isEmpty();
    }

    @Test
    void corruptEntriesStay() {
        List<WriterEntry> corrupt = List.of(new WriterEntry.Corrupt("w#1", "time", "0"));
        writers.among(corrupt, OWN, Z);

        assertThat(writers.among(corrupt, OWN, Z + 24 * HOUR)).isEmpty();
    }

    @Test
    void eachWriterIsJudgedByItself() {
        writers.among(List.of(entry("w#1", 17)), OWN, Z);
        writers.among(List.of(entry("w#1", 17), entry("w#2", 17)), OWN, Z + SECOND);

        assertThat(writers.among(List.of(entry("w#1", 17), entry("w#2", 17)), OWN, Z + HOUR + 1))
                .containsExactly(pruning("w#1", 17));
    }
}
