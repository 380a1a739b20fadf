package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.NO_DRIFT;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.session;
import static dev.leasehold.engine.internal.rules.Fixture.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import org.junit.jupiter.api.Test;

/** What becomes of leases that no engine looks after any more: lost tenures, and documents of sessions that are over. */
class LeftBehindTest {

    private static final LeaseDocument LEFT = held(OTHER, 17, null);

    private final LeaseCache cache = new LeaseCache(NAMESPACE, NO_DRIFT, HOUR, 3);

    @Test
    void removalOfWhatASessionLeftRestsOnTheAbsenceOfItsWriter() {
        Decision decision = decide(new Request.Remove(NAME), new Lease(LEFT, false, true, Z, null), Z + 1);

        assertThat(decision)
                .isEqualTo(new Decision.Write(
                        new LeaseWrite.Remove(NAME, new LeaseGuard(OTHER, 17, 3), 0),
                        null,
                        null,
                        new WriteDependency.OnAbsentWriter(OTHER)));
    }

    @Test
    void retentionCountsFromTheFirstReadWithoutTheWriter() {
        seenWithoutWriter(LEFT, Z + SECOND);
        seenWithoutWriter(LEFT, Z + 5 * SECOND);

        assertThat(cache.get(NAME)).isEqualTo(new Lease(LEFT, false, true, Z + SECOND + HOUR, null));
    }

    @Test
    void whatWasSeenWithTheWriterDoesNotCount() {
        cache.observe(snapshot(LEFT, session(OTHER, Z)), ME, Z, Z);
        seenWithoutWriter(LEFT, Z + 5 * SECOND);

        assertThat(cache.get(NAME)).isEqualTo(new Lease(LEFT, false, true, Z + 5 * SECOND + HOUR, null));
    }

    @Test
    void whatWasSeenOfAnEarlierWriteDoesNotCount() {
        seenWithoutWriter(held(OTHER, 16, null), Z);
        seenWithoutWriter(LEFT, Z + 5 * SECOND);

        assertThat(cache.get(NAME)).isEqualTo(new Lease(LEFT, false, true, Z + 5 * SECOND + HOUR, null));
    }

    private void seenWithoutWriter(LeaseDocument document, long nowNanos) {
        cache.observe(snapshot(document), ME, nowNanos, nowNanos);
    }

    private static Decision decide(Request request, Lease lease, long nowNanos) {
        return LeaseRules.decide(request, lease, at(nowNanos), LocalKnowledge.NOTHING);
    }
}
