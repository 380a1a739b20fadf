package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.store.WriterEntry;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the latest survey found, and nothing of what is gone. */
class ClockProbeGaugesTest {

    private static final long SECOND = 1_000_000_000;
    private static final String OWN = "a#1";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMetrics meters = new MicrometerMetrics(registry, "billing", false);

    private static WriterEntry live(String writer, long timeNanos) {
        return new WriterEntry.Sound(writer, timeNanos, timeNanos, null, new UUID(1, 2));
    }

    private static WriterEntry closed(String writer, long timeNanos) {
        return new WriterEntry.Sound(writer, timeNanos, timeNanos, null, null);
    }

    private static void survey(EngineMetrics metrics, String own, long readEndedNanos, WriterEntry... entries) {
        surveyPartition("billing", metrics, own, readEndedNanos, entries);
    }

    private static void surveyPartition(
            String partition, EngineMetrics metrics, String own, long readEndedNanos, WriterEntry... entries) {
        WritersRead read = new WritersRead(partition, own, List.of(entries), readEndedNanos);
        metrics.record(new ClockSurveyed(read, 100 + entries.length));
    }

    private double gauge(String name, String... tags) {
        return registry.get(name)
                .tag("lease.namespace", "billing")
                .tags(tags)
                .gauge()
                .value();
    }

    private double liveWriters() {
        return gauge("leasehold.live.writers");
    }

    private double clockSize() {
        return gauge("leasehold.clock.size");
    }

    private double skewSeconds(String writer) {
        return gauge("leasehold.skew", "writer", writer);
    }

    private boolean hasSkew(String writer) {
        return registry.find("leasehold.skew").tag("writer", writer).gauge() != null;
    }

    @Test
    void sizeAndWritersAreThoseOfTheLatestSurvey() {
        survey(
                meters,
                OWN,
                10,
                live(OWN, 1),
                live("b#1", 2),
                closed("c#1", 3),
                new WriterEntry.Corrupt("d#1", "time", "0"));
        assertThat(clockSize()).isEqualTo(104);
        assertThat(liveWriters()).isEqualTo(2);

        survey(meters, OWN, 10, live(OWN, 1));

        assertThat(clockSize()).isEqualTo(101);
        assertThat(liveWriters()).isEqualTo(1);
    }

    @Test
    void skewIsTheTightestBoundThatWasSeen() {
        meters.record(new WritersRead("billing", OWN, List.of(live("b#1", 10 * SECOND)), 15 * SECOND));
        meters.record(new WritersRead("billing", OWN, List.of(live("b#1", 18 * SECOND)), 20 * SECOND));
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
        meters.record(new ClockBlocked());
        survey(meters, OWN, 10, live(OWN, 1), live("b#1", 2));

        meters.close();

        assertThat(registry.find("leasehold.skew").gauges()).isEmpty();
        assertThat(registry.find("leasehold.live.writers").gauge()).isNull();
        assertThat(registry.find("leasehold.clock.size").gauge()).isNull();
        assertThat(registry.get("leasehold.clock.blocked").counter().count()).isEqualTo(1);
    }

    @Test
    void enginesOfOneNamespaceShareARegistry() {
        MicrometerMetrics other = new MicrometerMetrics(registry, "billing", false);
        WriterEntry[] entries = {live(OWN, SECOND), live("b#1", SECOND), live("c#1", SECOND)};
        survey(meters, OWN, 2 * SECOND, entries);
        survey(other, "b#1", 5 * SECOND, entries);
        meters.record(new ClockBlocked());
        other.record(new ClockBlocked());
        assertThat(registry.get("leasehold.clock.blocked").counter().count()).isEqualTo(2);
        assertThat(hasSkew(OWN)).isTrue();
        assertThat(hasSkew("b#1")).isTrue();

        meters.close();
        survey(other, "b#1", 5 * SECOND, entries);

        assertThat(skewSeconds("c#1")).isEqualTo(4);
        assertThat(liveWriters()).isEqualTo(3);
    }

    @Test
    void theFirstSurveyOfASecondEngineCountsAtOnce() {
        MicrometerMetrics other = new MicrometerMetrics(registry, "billing", false);
        survey(meters, OWN, 10 * SECOND, live(OWN, SECOND), live("c#1", SECOND));

        survey(other, "b#1", 20 * SECOND, live("c#1", 18 * SECOND));

        assertThat(clockSize()).isEqualTo(101);
        assertThat(liveWriters()).isEqualTo(1);
        assertThat(skewSeconds("c#1")).isEqualTo(2);
    }

    @Test
    void enginesOfDifferentNamespacesShareARegistryWithoutMeeting() {
        MicrometerMetrics other = new MicrometerMetrics(registry, "shipping", false);
        survey(meters, OWN, 10, live(OWN, 1));
        survey(other, OWN, 10, live(OWN, 1), live("b#1", 1));

        other.close();

        assertThat(liveWriters()).isEqualTo(1);
        assertThat(registry.find("leasehold.live.writers")
                        .tag("lease.namespace", "shipping")
                        .gauge())
                .isNull();
    }

    /** Each has a clock document and writers of its own; an engine is another writer in each. */
    @Nested
    class Partitions {

        private void survey(int partition, long readEndedNanos, WriterEntry... entries) {
            surveyPartition(LeaseIds.partition("billing", partition), meters, OWN + partition, readEndedNanos, entries);
        }

        @Test
        void sizeAndWritersAreThoseOfThePartitionThatHasMost() {
            survey(0, 10, live("b#10", 1));
            survey(1, 10, live("b#11", 1), live("c#11", 1), live("d#11", 1));
            survey(2, 10, live("b#12", 1), closed("c#12", 1), closed("d#12", 1), closed("e#12", 1));

            assertThat(liveWriters()).isEqualTo(3);
            assertThat(clockSize()).isEqualTo(104);
        }

        @Test
        void partitionThatWasClearedIsNoLongerTheOneThatHasMost() {
            survey(0, 10, live("b#10", 1));
            survey(1, 10, live("b#11", 1), live("c#11", 1), live("d#11", 1));

            survey(1, 20);

            assertThat(liveWriters()).isEqualTo(1);
            assertThat(clockSize()).isEqualTo(101);
        }

        @Test
        void whatAnotherFindsMeanwhileIsNotCoveredUp() throws InterruptedException {
            Thread other = new Thread(() -> survey(1, 10, live("b#11", 1), live("c#11", 1), live("d#11", 1)));
            registry.config().meterFilter(new MeterFilter() {
                @Override
                public Meter.Id map(Meter.Id id) {
                    if (id.getName().equals("leasehold.live.writers") && other.getState() == Thread.State.NEW) {
                        other.start();
                        await().until(() -> Set.of(Thread.State.BLOCKED, Thread.State.TERMINATED)
                                .contains(other.getState()));
                    }
                    return id;
                }
            });

            survey(0, 10, live("b#10", 1));
            other.join();

            assertThat(liveWriters()).isEqualTo(3);
            assertThat(clockSize()).isEqualTo(103);
        }

        @Test
        void skewIsShownToTheWritersOfAll() {
            survey(0, 10 * SECOND, live("b#10", 8 * SECOND), live(OWN + 0, 9 * SECOND));
            survey(1, 20 * SECOND, live("b#11", 17 * SECOND), live(OWN + 1, 19 * SECOND));

            assertThat(skewSeconds("b#10")).isEqualTo(2);
            assertThat(skewSeconds("b#11")).isEqualTo(3);
            assertThat(registry.find("leasehold.skew").gauges()).hasSize(2);
        }

        @Test
        void surveyOfOneForgetsNoWriterOfAnother() {
            survey(0, 10 * SECOND, live("b#10", 8 * SECOND));
            survey(1, 20 * SECOND, live("b#11", 17 * SECOND));

            survey(1, 30 * SECOND);

            assertThat(hasSkew("b#11")).isFalse();
            survey(0, 60 * SECOND, live("b#10", 8 * SECOND));
            assertThat(skewSeconds("b#10")).as("the tightest that was seen").isEqualTo(2);
        }

        @Test
        void namespaceWithoutThemHasMetersOfTheSameNamesAndTagsInTheSameRegistry() {
            survey(0, 10, live("b#10", 1));
            survey(1, 10, live("b#11", 1));
            Set<Set<String>> tagsOfBilling = tagsOfGauges("billing");

            surveyPartition("shipping", new MicrometerMetrics(registry, "shipping", false), OWN, 10, live("b#1", 1));

            assertThat(tagsOfGauges("shipping")).isEqualTo(tagsOfBilling);
        }

        /** The name of each gauge, and the keys of its tags. */
        private Set<Set<String>> tagsOfGauges(String namespace) {
            return Search.in(registry).tag("lease.namespace", namespace).gauges().stream()
                    .map(gauge -> Stream.concat(
                                    Stream.of(gauge.getId().getName()),
                                    gauge.getId().getTags().stream().map(Tag::getKey))
                            .collect(Collectors.toSet()))
                    .collect(Collectors.toSet());
        }
    }
}
