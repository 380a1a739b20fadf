package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.NO_DRIFT;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.SINCE;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.entry;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.session;
import static dev.leasehold.engine.internal.rules.Fixture.snapshot;
import static dev.leasehold.engine.internal.rules.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When waiters for leases look again, to see early that the sessions that keep them go on. Sessions last 30 s. */
class NextReadTest {

    private static final String THIRD = "third#1";
    private static final long STEP = 1_875_000_000;

    private final LeaseCache cache = new LeaseCache(NAMESPACE, NO_DRIFT, HOUR, 3);

    private void observe(long readNanos, LeaseDocument document, WriterEntry... entries) {
        cache.observe(snapshot(document, entries), ME, readNanos, readNanos);
    }

    private static LeaseDocument sessionLease(String name, String writer) {
        return new LeaseDocument(NAMESPACE, name, "h", 1, writer, Z, null, 0, null, SINCE, Set.of(), 0, null);
    }

    private long nextReadNanos(String... names) {
        return cache.nextReadNanos(List.of(names), Z);
    }

    @Test
    void foreignSessionIsLookedForInPartsOfIt() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));

        assertThat(nextReadNanos(NAME)).isEqualTo(Z + STEP);
    }

    @Test
    void nothingIsToBeSeenOfWhatNoForeignSessionKeeps() {
        assertThat(nextReadNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(nextReadNanos(NAME)).as("not seen yet").isEqualTo(Long.MAX_VALUE);

        observe(Z, vacant(OTHER, Z), session(OTHER, Z));
        assertThat(nextReadNanos(NAME)).as("vacant").isEqualTo(Long.MAX_VALUE);

        observe(Z, held(OTHER, Z, Z + HOUR), session(OTHER, Z));
        assertThat(nextReadNanos(NAME)).as("held for a term").isEqualTo(Long.MAX_VALUE);

        observe(Z, held(ME, Z, null), session(ME, Z));
        assertThat(nextReadNanos(NAME)).as("kept by the own session").isEqualTo(Long.MAX_VALUE);

        observe(Z, held(THIRD, Z, null), entry(THIRD, Z));
        assertThat(nextReadNanos(NAME)).as("kept by no session").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void earliestLookCountsWhicheverLeaseItIsFor() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z, sessionLease("another", THIRD), new WriterEntry.Sound(THIRD, Z, null, HOUR, null));

        assertThat(nextReadNanos("another")).isEqualTo(Z + 5 * SECOND);
        assertThat(nextReadNanos("another", NAME)).isEqualTo(Z + STEP);
        assertThat(nextReadNanos(NAME, "another")).isEqualTo(Z + STEP);
    }

    @Test
    void heartbeatIsLookedForWhereThoseBeforeLeaveIt() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 9 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 10 * SECOND, held(OTHER, Z, null), session(OTHER, Z + 10 * SECOND));

        assertThat(cache.nextReadNanos(List.of(NAME), Z + 10 * SECOND)).isEqualTo(Z + 19 * SECOND + SECOND / 4);
    }

    @Test
    void heartbeatsOfOthersTeachNothing() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z, sessionLease("another", THIRD), session(THIRD, Z));
        observe(Z + 10 * SECOND, sessionLease("another", THIRD), session(THIRD, Z + 10 * SECOND));

        assertThat(nextReadNanos(NAME)).isEqualTo(Z + STEP);
    }
}
