package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** When a session has certainly run out, against the same in exact arithmetic. */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class SessionBoundsPropertiesTest {

    private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

    /** A read of the entry: how long after the read before, and by how much its time has moved on since then. */
    record Read(long afterNanos, long movedNanos) {}

    @Property
    void boundIsTheFirstReadOfTheNewestTimeAndTheStretchedSession(
            @ForAll("reads") @Size(min = 1, max = 8) List<Read> reads,
            @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long sessionNanos,
            @ForAll @LongRange(min = 0, max = 999_999) long ppm) {
        LeaseCache cache = new LeaseCache(NAMESPACE, new Drift(ppm), HOUR, 10);
        long nowNanos = Z;
        long timeNanos = 17;
        long firstReadNanos = Z;
        for (Read read : reads) {
            nowNanos += read.afterNanos();
            timeNanos += read.movedNanos();
            firstReadNanos = read.movedNanos() > 0 || read == reads.get(0) ? nowNanos : firstReadNanos;
            read(cache, timeNanos, sessionNanos, nowNanos);
        }

        Lease seen = (Lease) Objects.requireNonNull(cache.get(NAME));

        assertThat(seen.safeAfterNanos()).isEqualTo(exactBound(firstReadNanos, sessionNanos, ppm));
        assertThat(seen.sessionSeenNanos()).isEqualTo(timeNanos);
    }

    /**
     * A writer is valid until its clock shows its newest acknowledged stamp and a session more. Both clocks run at any rate
     * within the drift. At the first instant at which the reader may evict, in true time, that validity is over.
     */
    @Property
    void noWriterIsEvictedWhileItMayBeValid(
            @ForAll @LongRange(min = -1000, max = 1000) long writersRatePpm,
            @ForAll @LongRange(min = -1000, max = 1000) long myRatePpm,
            @ForAll @LongRange(min = -HOUR, max = HOUR) long offsetNanos,
            @ForAll @LongRange(min = 0, max = 60_000) long readAfterMillis,
            @ForAll @LongRange(min = 1, max = HOUR) long sessionNanos) {
        long readNanos = Z + offsetNanos + readAfterMillis * (1_000_000 + myRatePpm);
        LeaseCache cache = new LeaseCache(NAMESPACE, new Drift(1000), HOUR, 10);
        read(cache, Z, sessionNanos, readNanos);

        long firstNanos = ((Lease) Objects.requireNonNull(cache.get(NAME))).safeAfterNanos() + 1;

        // True time since the stamp, in units that make both sides whole numbers.
        BigInteger evicted = BigInteger.valueOf(firstNanos - Z - offsetNanos).multiply(rate(writersRatePpm));
        BigInteger valid = BigInteger.valueOf(sessionNanos).multiply(rate(myRatePpm));
        assertThat(evicted).isGreaterThan(valid);
    }

    private static BigInteger rate(long ppm) {
        return MILLION.add(BigInteger.valueOf(ppm));
    }

    private static long exactBound(long firstReadNanos, long sessionNanos, long ppm) {
        BigInteger slowest = rate(-ppm);
        BigInteger stretched = BigInteger.valueOf(sessionNanos)
                .multiply(rate(ppm))
                .add(slowest.subtract(BigInteger.ONE))
                .divide(slowest);
        BigInteger bound = BigInteger.valueOf(firstReadNanos).add(stretched);
        return bound.bitLength() < Long.SIZE ? bound.longValueExact() : ExpiryBound.NEVER;
    }

    private static void read(LeaseCache cache, long timeNanos, long sessionNanos, long nowNanos) {
        WriterEntry entry = new WriterEntry.Sound(OTHER, timeNanos, null, sessionNanos, null);
        cache.observe(snapshot(held(OTHER, 17, null), entry), ME, nowNanos, nowNanos);
    }

    @Provide
    Arbitrary<List<Read>> reads() {
        Arbitrary<Long> waits = Arbitraries.longs().between(0, HOUR);
        Arbitrary<Long> moves = Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(0L)),
                Tuple.of(1, Arbitraries.longs().between(1, HOUR)));
        return Combinators.combine(waits, moves).as(Read::new).list();
    }
}
