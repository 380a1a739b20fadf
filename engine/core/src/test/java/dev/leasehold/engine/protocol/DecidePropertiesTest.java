package dev.leasehold.engine.protocol;

import static dev.leasehold.engine.protocol.Fixture.HOUR;
import static dev.leasehold.engine.protocol.Fixture.ME;
import static dev.leasehold.engine.protocol.Fixture.NAME;
import static dev.leasehold.engine.protocol.Fixture.NAMESPACE;
import static dev.leasehold.engine.protocol.Fixture.OTHER;
import static dev.leasehold.engine.protocol.Fixture.SECOND;
import static dev.leasehold.engine.protocol.Fixture.SINCE;
import static dev.leasehold.engine.protocol.Fixture.Z;
import static dev.leasehold.engine.protocol.Fixture.at;
import static dev.leasehold.engine.protocol.Fixture.entry;
import static dev.leasehold.engine.protocol.Fixture.held;
import static dev.leasehold.engine.protocol.Fixture.snapshot;
import static dev.leasehold.engine.protocol.Fixture.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.protocol.Sighting.Lease;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.LeaseGuard;
import dev.leasehold.engine.store.LeaseWrite;
import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.Drift;
import dev.leasehold.engine.time.SafeAfter;
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
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** What must hold of every decision, whatever was seen and asked. */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class DecidePropertiesTest {

    /** A lease that was seen, what is asked of it, and the clock relative to its bound. */
    record Case(Request request, Lease seen, long nowNanos) {
        Decision decision() {
            return Decide.decide(request, seen, at(nowNanos), null);
        }
    }

    @Property
    @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
    void tokenGrowsByOneWithEveryTenureAndIsOtherwiseKept(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write write) {
            long seen = each.seen().document().token();
            boolean begins = each.request() instanceof Request.Claim || each.request() instanceof Request.TakeOver;
            assertThat(token(write.write())).isEqualTo(begins ? seen + 1 : seen);
        }
        Statistics.label("decisions").collect(each.decision().getClass().getSimpleName());
        Statistics.label("decisions").coverage(coverage -> {
            coverage.check("Write").percentage(share -> share > 20);
            coverage.check("Refused").percentage(share -> share > 20);
        });
    }

    @Property
    void firstTokenOfANameIsAboveTheFloor(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE - 1) long floor) {
        Situation at = new Situation(NAMESPACE, ME, Z, Z, Z, floor);

        Decision decision = Decide.decide(new Request.Claim(NAME, "h", SECOND, null), new Sighting.Nothing(NAME), at, null);

        assertThat(token(((Decision.Write) decision).write())).isEqualTo(floor + 1);
    }

    @Property
    void nobodyIsPutOutBeforeTheBoundHasPassed(@ForAll("cases") Case each) {
        Request request = each.request();
        boolean endsAnother = request instanceof Request.TakeOver
                || request instanceof Request.Expire
                || request instanceof Request.Remove;
        if (endsAnother && each.decision() instanceof Decision.Write) {
            assertThat(each.nowNanos()).isGreaterThan(each.seen().safeAfterNanos());
        }
    }

    @Property
    void heldLeaseIsNeverClaimedAndVacantOneOnlyClaimedOrRemoved(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write) {
            boolean claims = each.request() instanceof Request.Claim;
            boolean removes = each.request() instanceof Request.Remove;
            assertThat(each.seen().isHeld()).isEqualTo(!(claims || removes));
        }
    }

    @Property
    void everyWriteIsGuardedByWhatWasSeenAndCarriesTheStamp(@ForAll("cases") Case each) {
        if (!(each.decision() instanceof Decision.Write write)) {
            return;
        }
        LeaseGuard seen = each.seen().document().guard();
        if (write.write() instanceof LeaseWrite.Replace replace) {
            assertThat(replace.guard()).isEqualTo(seen);
            assertThat(replace.document().guard()).isEqualTo(new LeaseGuard(ME, each.nowNanos()));
        } else {
            assertThat(((LeaseWrite.Remove) write.write()).guard()).isEqualTo(seen);
        }
    }

    @Property
    void grantedTermLastsAtLeastAsLongAsAsked(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write write
                && write.write() instanceof LeaseWrite.Replace replace
                && !replace.document().isVacant()) {
            assertThat(replace.document().expiryNanos()).isGreaterThanOrEqualTo(each.nowNanos() + SECOND);
        }
    }

    @Property
    void extendOfOnesOwnTermNeverShortensIt(
            @ForAll @LongRange(min = 0, max = 2 * HOUR) long elapsedNanos,
            @ForAll @LongRange(min = 1, max = 2 * HOUR) long durationNanos) {
        Lease own = new Lease(held(ME, Z, Z + HOUR), true, false, Z + HOUR, null);

        LeaseDocument next = extended(own, Z + elapsedNanos, durationNanos);

        assertThat(next.expiryNanos()).isGreaterThanOrEqualTo(Z + HOUR);
    }

    /**
     * The old promise ends when the writer's clock shows its expiry; the new one when this engine's clock shows the
     * carried one. Both clocks run at any rate within the drift and at any offset, and the newer end is never earlier in
     * true time, so no observer's judgement of the old write can come later than the new promise.
     */
    @Property
    void extendOfAnothersTermNeverShortensItInTrueTime(
            @ForAll @LongRange(min = -1000, max = 1000) long writersRatePpm,
            @ForAll @LongRange(min = -1000, max = 1000) long myRatePpm,
            @ForAll @LongRange(min = -HOUR, max = HOUR) long offsetNanos,
            @ForAll @LongRange(min = 0, max = 7_200_000) long readAfterMillis,
            @ForAll @LongRange(min = 1, max = HOUR) long termNanos,
            @ForAll @LongRange(min = 1, max = 2 * HOUR) long durationNanos) {
        LinearClock writers = new LinearClock(Z, writersRatePpm);
        LinearClock mine = new LinearClock(Z + offsetNanos, myRatePpm);
        long readNanos = mine.at(readAfterMillis);
        LeaseView view = new LeaseView(NAMESPACE, new Drift(1000), HOUR, 10);
        view.observe(snapshot(held(OTHER, Z, Z + termNanos), entry(OTHER, Z)), ME, readNanos, readNanos);

        LeaseDocument next = extended((Lease) Objects.requireNonNull(view.get(NAME)), readNanos, durationNanos);

        assertThat(mine.isNotBefore(next.expiryNanos(), writers, Z + termNanos)).isTrue();
    }

    @Property
    void anotherEnginesTermIsNeverExtendedWithoutAWrite(
            @ForAll @LongRange(min = 0, max = 2 * HOUR) long elapsedNanos,
            @ForAll @LongRange(min = 1, max = HOUR) long durationNanos) {
        Lease foreign = new Lease(held(OTHER, Z, Z + HOUR), false, false, Z + 3 * HOUR, null);
        Belief belief = Belief.from(Z, Z, 3 * HOUR);

        Decision decision = Decide.decide(
                new Request.Extend(tenure("h", 3), durationNanos), foreign, at(Z + elapsedNanos), belief);

        assertThat(decision).isInstanceOf(Decision.Write.class);
    }

    /** A clock that shows so much at true time 0 and runs evenly. */
    private record LinearClock(long startNanos, long ratePpm) {

        /** Exact, since a millisecond has a million nanoseconds. */
        long at(long trueMillis) {
            return startNanos + trueMillis * (1_000_000 + ratePpm);
        }

        /** Whether this clock shows the one instant no earlier, in true time, than the other clock shows the other. */
        boolean isNotBefore(long nanos, LinearClock other, long othersNanos) {
            BigInteger here = BigInteger.valueOf(nanos - startNanos).multiply(BigInteger.valueOf(1_000_000 + other.ratePpm));
            BigInteger there =
                    BigInteger.valueOf(othersNanos - other.startNanos).multiply(BigInteger.valueOf(1_000_000 + ratePpm));
            return here.compareTo(there) >= 0;
        }
    }

    @Provide
    Arbitrary<Case> cases() {
        Arbitrary<Long> bounds = Arbitraries.of(Z - HOUR, Z, Z + 60 * SECOND, SafeAfter.NEVER);
        Arbitrary<Long> distances = Arbitraries.oneOf(
                Arbitraries.of(-1L, 0L, 1L), Arbitraries.longs().between(-HOUR, HOUR));
        return Combinators.combine(requests(), Arbitraries.of("own", "foreign"), Arbitraries.of(true, false), bounds, distances)
                .as(DecidePropertiesTest::caseOf);
    }

    private static Case caseOf(Request request, String whose, boolean isHeld, long boundNanos, long distanceNanos) {
        boolean own = whose.equals("own");
        LeaseDocument document = new LeaseDocument(
                NAMESPACE, NAME, isHeld ? "h" : null, 3, own ? ME : OTHER, 17, isHeld ? boundNanos : null, 7, null, SINCE);
        long nowNanos = boundNanos == SafeAfter.NEVER ? Z + distanceNanos : boundNanos + distanceNanos;
        return new Case(request, new Lease(document, own, false, boundNanos, null), nowNanos);
    }

    private static Arbitrary<Request> requests() {
        return Arbitraries.of(List.of(
                new Request.Claim(NAME, "h2", SECOND, null),
                new Request.TakeOver(NAME, "h2", SECOND, null),
                new Request.Extend(tenure("h", 3), SECOND),
                new Request.Release(tenure("h", 3)),
                new Request.Expire(NAME),
                new Request.Remove(NAME)));
    }

    private static long token(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            return insert.document().token();
        }
        return write instanceof LeaseWrite.Replace replace
                ? replace.document().token()
                : ((LeaseWrite.Remove) write).token();
    }

    private static LeaseDocument extended(Lease seen, long nowNanos, long durationNanos) {
        Decision decision =
                Decide.decide(new Request.Extend(tenure("h", 3), durationNanos), seen, at(nowNanos), null);
        return ((LeaseWrite.Replace) ((Decision.Write) decision).write()).document();
    }
}
