package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockHeld;
import dev.leasehold.engine.internal.metrics.EngineEvent.CommitEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandOverAcknowledged;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandOverKind;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandedOver;
import dev.leasehold.engine.internal.metrics.EngineEvent.HeartbeatEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesRead;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesWritten;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.QueueViewed;
import dev.leasehold.engine.internal.metrics.EngineEvent.Resolution;
import dev.leasehold.engine.internal.metrics.EngineEvent.StuckTransactionEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import dev.leasehold.engine.internal.metrics.EngineEvent.TransactionTried;
import dev.leasehold.engine.internal.metrics.EngineEvent.UnknownResolved;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each event has its meter, under the name and tags that are documented. */
class MicrometerMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMetrics meters = new MicrometerMetrics(registry, "billing", false);

    private double count(String name, String... tags) {
        return registry.get(name)
                .tag("lease.namespace", "billing")
                .tags(tags)
                .counter()
                .count();
    }

    private double timedNanos(String name) {
        return registry.get(name).tag("lease.namespace", "billing").timer().totalTime(TimeUnit.NANOSECONDS);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Test
    void everyTypeOfEventHasAHandler() {
        assertThat(meters.handled()).isEqualTo(Set.of(EngineEvent.class.getPermittedSubclasses()));
    }

    @Test
    void operationsAreTimedByKindOutcomeAndPriorStatus() {
        meters.record(new OperationEnded("take-over", "nightly", OperationOutcome.GRANTED, LeaseStatus.EXPIRED, 30));
        meters.record(new OperationEnded("take-over", "hourly", OperationOutcome.GRANTED, LeaseStatus.EXPIRED, 12));
        meters.record(new OperationEnded("take-over", "nightly", OperationOutcome.REFUSED, LeaseStatus.ACTIVE, 5));

        assertThat(registry.get("leasehold.operations")
                        .tags(
                                "lease.namespace",
                                "billing",
                                "operation",
                                "take-over",
                                "outcome",
                                "granted",
                                "status",
                                "expired")
                        .timer())
                .satisfies(
                        timer -> assertThat(timer.count()).isEqualTo(2),
                        timer -> assertThat(timer.totalTime(TimeUnit.NANOSECONDS))
                                .isEqualTo(42));
        assertThat(registry.get("leasehold.operations")
                        .tags("outcome", "refused", "status", "active")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void operationThatWasNeverDecidedHasAnUnknownStatus() {
        meters.record(new OperationEnded("claim", "nightly", OperationOutcome.UNAVAILABLE, null, 1));

        assertThat(registry.get("leasehold.operations")
                        .tags("outcome", "unavailable", "status", "unknown")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void leaseNamesAreATagOnlyWhenAskedFor() {
        meters.record(new OperationEnded("claim", "nightly", OperationOutcome.GRANTED, LeaseStatus.FREE, 1));
        assertThat(registry.getMeters()).noneMatch(meter -> meter.getId().getTag("lease") != null);

        SimpleMeterRegistry other = new SimpleMeterRegistry();
        new MicrometerMetrics(other, "billing", true)
                .record(new OperationEnded("claim", "nightly", OperationOutcome.GRANTED, LeaseStatus.FREE, 1));

        assertThat(other.get("leasehold.operations")
                        .tag("lease", "nightly")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(other.getMeters())
                .filteredOn(meter -> meter.getId().getTag("lease") != null)
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void transactionsAreCountedByVerdictFromZeroOn(Verdict verdict) {
        assertThat(count("leasehold.transactions", "verdict", word(verdict))).isZero();

        meters.record(new TransactionTried(verdict, 17));
        meters.record(new TransactionTried(verdict, 3));

        assertThat(count("leasehold.transactions", "verdict", word(verdict))).isEqualTo(2);
        assertThat(registry.get("leasehold.group.size").summary().totalAmount()).isEqualTo(20);
        assertThat(registry.get("leasehold.group.size").summary().max()).isEqualTo(17);
    }

    static Stream<Arguments> counted() {
        Stream<Arguments> others = Stream.of(
                arguments(new ClockBlocked(), "clock.blocked", "", ""),
                arguments(new StuckTransactionEnded(), "stuck.transactions", "", ""),
                arguments(new HeartbeatEnded(true), "heartbeats", "outcome", "acknowledged"),
                arguments(new HeartbeatEnded(false), "heartbeats", "outcome", "failed"));
        return Stream.of(
                        others,
                        Stream.of(Resolution.values())
                                .map(each -> arguments(
                                        new UnknownResolved(each), "unknown.resolved", "resolution", word(each))),
                        Stream.of(LeaseLoss.Reason.values())
                                .map(each -> arguments(new TenureLost(each), "losses", "reason", word(each))),
                        Stream.of(HandOverKind.values())
                                .map(each -> arguments(new HandedOver(each), "handovers", "kind", word(each))))
                .flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("counted")
    void whatHappensIsCountedFromZeroOn(EngineEvent event, String counter, String tag, String value) {
        String name = "leasehold." + counter;
        String[] tags = tag.isEmpty() ? new String[0] : new String[] {tag, value};
        assertThat(count(name, tags)).isZero();

        meters.record(event);
        meters.record(event);

        assertThat(count(name, tags)).isEqualTo(2);
        assertThat(registry.get(name).counters())
                .extracting(Counter::count)
                .filteredOn(count -> count > 0)
                .as("no other is counted")
                .hasSize(1);
    }

    @Test
    void timesOfTransactionsAndReadsAreRecordedInNanoseconds() {
        meters.record(new ClockHeld(4_000));
        meters.record(new CommitEnded(2_500));
        meters.record(new LeasesRead(700));
        meters.record(new HandOverAcknowledged(1_700));

        assertThat(timedNanos("leasehold.clock.hold")).isEqualTo(4_000);
        assertThat(timedNanos("leasehold.commit")).isEqualTo(2_500);
        assertThat(timedNanos("leasehold.read.window")).isEqualTo(700);
        assertThat(timedNanos("leasehold.handover")).isEqualTo(1_700);
    }

    @ParameterizedTest
    @EnumSource
    void singleWritesOfLeasesAreTimedByVerdictFromZeroOn(Verdict verdict) {
        Timer timer = registry.get("leasehold.lease.writes")
                .tags("lease.namespace", "billing", "verdict", word(verdict))
                .timer();
        assertThat(timer.count()).isZero();

        meters.record(new LeasesWritten(verdict, 30));
        meters.record(new LeasesWritten(verdict, 12));

        assertThat(timer.count()).isEqualTo(2);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(42);
    }

    @Test
    void theLengthsOfQueuesAreSummedUp() {
        meters.record(new QueueViewed(3));
        meters.record(new QueueViewed(0));

        assertThat(registry.get("leasehold.queue.length").summary().totalAmount())
                .isEqualTo(3);
        assertThat(registry.get("leasehold.queue.length").summary().count()).isEqualTo(2);
    }

    @Test
    void everyMeterHasTheNamespaceAndADescriptionAndIsDocumentedAndNoCountHasAUnit() throws IOException {
        EveryMetric.in(registry);
        String javadoc =
                Files.readString(Path.of("src", "main", "java", "dev", "leasehold", "engine", "LeaseMeters.java"));

        assertThat(registry.getMeters()).extracting(Meter::getId).isNotEmpty().allSatisfy(id -> {
            assertThat(id.getTag("lease.namespace")).isEqualTo("billing");
            assertThat(id.getDescription()).isNotBlank();
            assertThat(id.getBaseUnit()).isIn(null, "seconds", "bytes");
            assertThat(javadoc).contains("<td>{@code " + id.getName() + "}</td>");
            assertThat(id.getTags())
                    .extracting(Tag::getKey)
                    .allSatisfy(key -> assertThat(javadoc).contains("{@code " + key + "}"));
            assertThat(id.getTags())
                    .filteredOn(tag -> Set.of("verdict", "resolution", "outcome", "status", "reason")
                            .contains(tag.getKey()))
                    .extracting(Tag::getValue)
                    .allSatisfy(value -> assertThat(javadoc).contains(value));
        });
    }
}
