package dev.leasehold.engine.meters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.store.ClockSurvey;
import dev.leasehold.engine.store.WriterEntry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the latest survey found, and nothing of what is gone. */
class SurveyGaugesTest {

    private static final long SECOND = 1_000_000_000;
    private static final String OWN = "a#1";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMeters meters = new MicrometerMeters(registry, "billing", false);

    private static WriterEntry live(String writer, long timeNanos) {
        return new WriterEntry.Sound(writer, timeNanos, timeNanos, null, new UUID(1, 2));
    }

    private static WriterEntry closed(String writer, long timeNanos) {
        return new WriterEntry.Sound(writer, timeNanos, timeNanos, null, null);
    }

    private static void survey(EngineMeters meters, String own, long readEndedNanos, WriterEntry... entries) {
        meters.writersSeen(own, List.of(entries), readEndedNanos);
        meters.surveyed(new ClockSurvey(100 + entries.length, List.of(entries)));
    }

    private double skewSeconds(String writer) {
        return registry.get("leasehold.skew").tags("namespace", "billing", "writer", writer).gauge().value();
    }

    private boolean hasSkew(String writer) {
        return registry.find("leasehold.skew").tag("writer", writer).gauge() != null;
    }

    @Test
    void sizeAndWritersAreThoseOfTheLatestSurvey() {
        survey(meters, OWN, 10, live(OWN, 1), live("b#1", 2), closed("c#1", 3), new WriterEntry.Corrupt("d#1", "time", "0"));
        assertThat(registry.get("leasehold.clock.size").gauge().value()).isEqualTo(104);
        assertThat(registry.get("leasehold.live.writers").gauge().value()).isEqualTo(2);

        survey(meters, OWN, 10, live(OWN, 1));

        assertThat(registry.get("leasehold.clock.size").gauge().value()).isEqualTo(101);
        assertThat(registry.get("leasehold.live.writers").gauge().value()).isEqualTo(1);
    }

    @Test
    void skewIsTheTightestBoundThatWasSeen() {
        meters.writersSeen(OWN, List.of(live("b#1", 10 * SECOND)), 15 * SECOND);
        meters.writersSeen(OWN, List.of(live("b#1", 18 * SECOND)), 20 * SECOND);
        survey(meters, OWN, 60 * SECOND, live("b#1", 18 * SECOND));

        assertThat(skewSeconds("b#1")).isEqualTo(2);
    }

    @Test
    void skewToAClockAheadIsNegative() {
        survey(meters, OWN, 10 * SECOND, live("b#1", 13 * SECOND));

        assertThat(skewSeconds("b#1")).isEqualTo(-3);
    }

    @Test
    void noSkewIsShownToOneselfNorToACorruptEntry() {
        survey(meters, OWN, 10, live(OWN, 1), new WriterEntry.Corrupt("d#1", "time", "0"));

        assertThat(registry.find("leasehold.skew").gauges()).isEmpty();
    }

    @Test
    void vanishedWriterHasNoSkewAndStartsAnewIfItComesBack() {
        survey(meters, OWN, 10 * SECOND, live("b#1", 9 * SECOND), live("c#1", 9 * SECOND));
        survey(meters, OWN, 20 * SECOND, live("c#1", 9 * SECOND));
        assertThat(hasSkew("b#1")).isFalse();
        assertThat(hasSkew("c#1")).isTrue();

        survey(meters, OWN, 30 * SECOND, live("b#1", 25 * SECOND));

        assertThat(skewSeconds("b#1")).isEqualTo(5);
    }

    @Test
    void closingTakesTheGaugesAwayAndLeavesWhatWasCounted() {
        meters.clockBlocked();
        survey(meters, OWN, 10, live(OWN, 1), live("b#1", 2));

        meters.close();

        assertThat(registry.find("leasehold.skew").gauges()).isEmpty();
        assertThat(registry.find("leasehold.live.writers").gauge()).isNull();
        assertThat(registry.find("leasehold.clock.size").gauge()).isNull();
        assertThat(registry.get("leasehold.clock.blocked").counter().count()).isEqualTo(1);
    }

    @Test
    void enginesOfOneNamespaceShareARegistry() {
        MicrometerMeters other = new MicrometerMeters(registry, "billing", false);
        WriterEntry[] entries = {live(OWN, SECOND), live("b#1", SECOND), live("c#1", SECOND)};
        survey(meters, OWN, 2 * SECOND, entries);
        survey(other, "b#1", 5 * SECOND, entries);
        meters.clockBlocked();
        other.clockBlocked();
        assertThat(registry.get("leasehold.clock.blocked").counter().count()).isEqualTo(2);
        assertThat(hasSkew(OWN)).isTrue();
        assertThat(hasSkew("b#1")).isTrue();

        meters.close();
        survey(other, "b#1", 5 * SECOND, entries);

        assertThat(skewSeconds("c#1")).isEqualTo(4);
        assertThat(registry.get("leasehold.live.writers").gauge().value()).isEqualTo(3);
    }

    @Test
    void theFirstSurveyOfASecondEngineCountsAtOnce() {
        MicrometerMeters other = new MicrometerMeters(registry, "billing", false);
        survey(meters, OWN, 10 * SECOND, live(OWN, SECOND), live("c#1", SECOND));

        survey(other, "b#1", 20 * SECOND, live("c#1", 18 * SECOND));

        assertThat(registry.get("leasehold.clock.size").gauge().value()).isEqualTo(101);
        assertThat(registry.get("leasehold.live.writers").gauge().value()).isEqualTo(1);
        assertThat(skewSeconds("c#1")).isEqualTo(2);
    }

    @Test
    void enginesOfDifferentNamespacesShareARegistryWithoutMeeting() {
        MicrometerMeters other = new MicrometerMeters(registry, "shipping", false);
        survey(meters, OWN, 10, live(OWN, 1));
        survey(other, OWN, 10, live(OWN, 1), live("b#1", 1));

        other.close();

        assertThat(registry.get("leasehold.live.writers").tag("namespace", "billing").gauge().value()).isEqualTo(1);
        assertThat(registry.find("leasehold.live.writers").tag("namespace", "shipping").gauge()).isNull();
    }
}
