package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.SESSION_SEEN;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.entry;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.snapshot;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
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
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** What must hold of every decision, whatever was seen and asked. */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class LeaseRulesPropertiesTest {

    /** A lease that was seen, what is asked of it, the clock relative to its bound, and whether its holder gave it up. */
    record Case(Request request, Lease seen, long nowNanos, boolean givenUp) {
        Decision decision() {
            return LeaseRules.decide(request, seen, at(nowNanos), new LocalKnowledge(null, givenUp, false, null));
        }
    }

    @Property
    @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
    void tokenGrowsByOneWithEveryTenureAndEveryForcedEndAndIsOtherwiseKept(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write write) {
            long seen = each.seen().document().token();
            boolean moves = begins(each, write) || each.request() instanceof Request.ForceExpire;
            assertThat(token(write.write())).isEqualTo(moves ? seen + 1 : seen);
        }
        Statistics.label("decisions").collect(each.decision().getClass().getSimpleName());
        Statistics.label("decisions").coverage(coverage -> {
            coverage.check("Write").percentage(share -> share > 20);
            coverage.check("Refused").percentage(share -> share > 20);
        });
    }

    @Property
    void tenureBeginsWhereItsHolderHadNoneOrHadGivenItsOwnUpOrItHadRunOut(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write write && begins(each, write)) {
            boolean passed = each.nowNanos() > each.seen().safeAfterNanos();
            assertThat(!each.seen().isHeld() || each.givenUp() && each.seen().own() || passed || supersedes(each))
                    .isTrue();
        }
    }

    @Property
    void pinnedLeaseChangesHandsByForceAlone(@ForAll("cases") Case each) {
        Case pinned = new Case(each.request(), Fixture.pinned(each.seen()), each.nowNanos(), each.givenUp());

        if (pinned.decision() instanceof Decision.Write write) {
            assertThat(begins(pinned, write)).isFalse();
            assertThat(each.request()).isNotInstanceOfAny(Request.Expire.class, Request.Remove.class);
        }
    }

    @Property
    void whatBeginsOrEndsATenureForAnotherIsWrittenUnlessPinnedAndNothingElse(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write write && write.write() instanceof LeaseWrite.Replace replace) {
            assertThat(replace.unlessPinned())
                    .isEqualTo(begins(each, write) || each.request() instanceof Request.Expire);
        }
    }

    @Property
    void anothersSessionLeaseIsTakenOnItsWritersEntryAlone(@ForAll("cases") Case each) {
        LeaseDocument seen = each.seen().document();
        boolean anothersSession = seen.isSessionLease() && !each.seen().own();
        boolean leavesTheEntryAlone = each.request() instanceof Request.ForceExpire
                || each.request() instanceof Request.Pin
                || supersedes(each) && each.nowNanos() <= each.seen().safeAfterNanos();
        if (anothersSession && !leavesTheEntryAlone && each.decision() instanceof Decision.Write write) {
            assertThat(write.dependency())
                    .isEqualTo(
                            each.seen().orphaned()
                                    ? new WriteDependency.OnAbsentWriter(OTHER)
                                    : new WriteDependency.OnEviction(OTHER, SESSION_SEEN));
        }
    }

    @Property
    void noTermBeginsOrEndsWithoutTheClock(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write write
                && write.dependency() instanceof WriteDependency.OnTheLeaseAlone) {
            LeaseWrite.Replace replace = (LeaseWrite.Replace) write.write();
            assertThat(each.seen().document().expiryNanos()).isNull();
            assertThat(replace.document().expiryNanos()).isNull();
            assertThat(each.seen().own() || each.seen().document().isVacant()).isTrue();
        }
    }

    @Property
    void sessionKeepsExactlyWhatWasAskedOfIt(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write write && write.basis() instanceof HoldBasis.Session) {
            assertThat(each.request())
                    .isInstanceOfSatisfying(
                            Request.Acquire.class,
                            acquire -> assertThat(acquire.termNanos()).isNull());
            assertThat(((LeaseWrite.Replace) write.write()).document().isSessionLease())
                    .isTrue();
        }
    }

    private static boolean supersedes(Case each) {
        return each.request() instanceof Request.Acquire acquire
                && acquire.supersede()
                && acquire.holder().equals(each.seen().document().holder())
                && !each.seen().own();
    }

    private static boolean begins(Case each, Decision.Write write) {
        return each.request() instanceof Request.ToHold
                && write.tenure() != null
                && write.tenure().token() > each.seen().document().token();
    }

    @Property
    void noHolderIsPutOutBeforeTheBoundHasPassed(@ForAll("cases") Case each) {
        Request request = each.request();
        boolean endsAnother = request instanceof Request.TakeOver
                || request instanceof Request.Expire
                || request instanceof Request.Remove;
        if (endsAnother && each.decision() instanceof Decision.Write) {
            assertThat(each.nowNanos()).isGreaterThan(each.seen().safeAfterNanos());
        }
    }

    @Property
    void heldLeaseIsNeverClaimedAndVacantOneOnlyBegunPinnedOrRemoved(@ForAll("cases") Case each) {
        Request request = each.request();
        boolean either = request instanceof Request.Acquire || request instanceof Request.Pin;
        if (!either && each.decision() instanceof Decision.Write) {
            boolean needsNoHolder = request instanceof Request.Claim || request instanceof Request.Remove;
            boolean freesIt = each.request() instanceof Request.ForceExpire
                    && each.nowNanos() <= each.seen().freeAfterNanos();
            assertThat(each.seen().isHeld()).isEqualTo(!needsNoHolder && !freesIt);
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
            assertThat(replace.document().guard())
                    .isEqualTo(new LeaseGuard(
                            ME, each.nowNanos(), replace.document().token()));
        } else if (write.write() instanceof LeaseWrite.Pin pin) {
            assertThat(pin.guard()).isEqualTo(seen);
        } else {
            assertThat(((LeaseWrite.Remove) write.write()).guard()).isEqualTo(seen);
        }
    }

    @Property
    void grantedTermLastsAtLeastAsLongAsAsked(@ForAll("cases") Case each) {
        if (each.decision() instanceof Decision.Write write
                && write.write() instanceof LeaseWrite.Replace replace
                && write.basis() instanceof HoldBasis.Term) {
            assertThat(replace.document().expiryNanos()).isGreaterThanOrEqualTo(each.nowNanos() + SECOND);
        }
    }

    /**
     * The old hold ends when the writer's clock shows its expiry; the new one when this engine's clock shows the
     * carried one. Both clocks run at any rate within the drift and at any offset, and the newer end is never earlier in
     * true time, so no observer's judgement of the old write can come later than the new end.
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
        LeaseCache cache = new LeaseCache(NAMESPACE, new Drift(1000), HOUR, 10);
        cache.observe(snapshot(held(OTHER, Z, Z + termNanos), entry(OTHER, Z)), ME, readNanos, readNanos);

        LeaseDocument next = extended((Lease) Objects.requireNonNull(cache.get(NAME)), readNanos, durationNanos);

        assertThat(mine.isNotBefore(next.expiryNanos(), writers, Z + termNanos)).isTrue();
    }

    /** The writer's clock shows the end of the time at some true instant, and no observer's first try to succeed comes before it. */
    @Property
    void keptFreeLeaseIsNotTakenBeforeItsTimeIsOverInTrueTime(
            @ForAll @LongRange(min = -1000, max = 1000) long writersRatePpm,
            @ForAll @LongRange(min = -1000, max = 1000) long myRatePpm,
            @ForAll @LongRange(min = -HOUR, max = HOUR) long offsetNanos,
            @ForAll @LongRange(min = 0, max = 3_600_000) long stampAfterMillis,
            @ForAll @LongRange(min = 0, max = 3_600_000) long readAfterMillis,
            @ForAll @LongRange(min = 1, max = HOUR) long keptNanos) {
        LinearClock writers = new LinearClock(Z, writersRatePpm);
        LinearClock mine = new LinearClock(Z + offsetNanos, myRatePpm);
        long readNanos = mine.at(stampAfterMillis + readAfterMillis);
        LeaseCache cache = new LeaseCache(NAMESPACE, new Drift(1000), HOUR, 10);
        cache.observe(
                snapshot(Fixture.keptFree(OTHER, Z, Z + keptNanos), entry(OTHER, writers.at(stampAfterMillis))),
                ME,
                readNanos,
                readNanos);
        Lease seen = (Lease) Objects.requireNonNull(cache.get(NAME));
        Request acquire = new Request.Acquire(NAME, "h2", SECOND, null);

        long firstNanos = Math.max(readNanos, seen.freeAfterNanos() + 1);

        assertThat(LeaseRules.decide(acquire, seen, at(firstNanos - 1), LocalKnowledge.NOTHING)
                                instanceof Decision.Refused
                        || firstNanos - 1 < readNanos
                        || firstNanos == readNanos)
                .isTrue();
        assertThat(LeaseRules.decide(acquire, seen, at(firstNanos), LocalKnowledge.NOTHING))
                .isInstanceOf(Decision.Write.class);
        assertThat(mine.isNotBefore(firstNanos, writers, Z + keptNanos)).isTrue();
    }

    /** A clock that shows so much at true time 0 and runs evenly. */
    private record LinearClock(long startNanos, long ratePpm) {

        /** Exact, since a millisecond has a million nanoseconds. */
        long at(long trueMillis) {
            return startNanos + trueMillis * (1_000_000 + ratePpm);
        }

        /** Whether this clock shows the one instant no earlier, in true time, than the other clock shows the other. */
        boolean isNotBefore(long nanos, LinearClock other, long othersNanos) {
            BigInteger here =
                    BigInteger.valueOf(nanos - startNanos).multiply(BigInteger.valueOf(1_000_000 + other.ratePpm));
            BigInteger there = BigInteger.valueOf(othersNanos - other.startNanos)
                    .multiply(BigInteger.valueOf(1_000_000 + ratePpm));
            return here.compareTo(there) >= 0;
        }
    }

    @Provide
    Arbitrary<Case> cases() {
        Arbitrary<Long> bounds = Arbitraries.of(Z - HOUR, Z, Z + 60 * SECOND, ExpiryBound.NEVER);
        Arbitrary<Long> distances = Arbitraries.oneOf(
                Arbitraries.of(-1L, 0L, 1L), Arbitraries.longs().between(-HOUR, HOUR));
        Arbitrary<String> leases = Arbitraries.of(
                "own vacant",
                "foreign vacant",
                "own kept free",
                "foreign kept free",
                "own held",
                "foreign held",
                "own session",
                "foreign session",
                "orphaned session");
        return Combinators.combine(requests(), leases, bounds, distances, Arbitraries.of(true, false))
                .as(LeaseRulesPropertiesTest::caseOf);
    }

    private static Case caseOf(Request request, String lease, long boundNanos, long distanceNanos, boolean givenUp) {
        long nowNanos = boundNanos == ExpiryBound.NEVER ? Z + distanceNanos : boundNanos + distanceNanos;
        return new Case(request, Fixture.lease(lease, boundNanos), nowNanos, givenUp);
    }

    private static Arbitrary<Request> requests() {
        return Arbitraries.of(List.of(
                new Request.Claim(NAME, "h2", SECOND, null),
                new Request.TakeOver(NAME, "h2", SECOND, null),
                new Request.Acquire(NAME, "h2", SECOND, null),
                new Request.Acquire(NAME, "h2", null, null),
                new Request.Acquire(NAME, "h", SECOND, null),
                new Request.Acquire(NAME, "h", null, null),
                new Request.Acquire(NAME, "h", SECOND, null, 0, true, 0, 0, 0, null, 0, null),
                new Request.Acquire(NAME, "h", null, null, 0, true, 0, 0, 0, null, 0, null),
                new Request.Acquire(NAME, "h2", null, null, 0, true, 0, 0, 0, null, 0, null),
                new Request.Extend(tenure("h", 3), SECOND),
                new Request.Release(tenure("h", 3)),
                new Request.Expire(NAME),
                new Request.Remove(NAME),
                new Request.ForceExpire(NAME, "it hangs"),
                new Request.Pin(NAME, "ops", true)));
    }

    /** After the write. */
    private static long token(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            return insert.document().token();
        }
        if (write instanceof LeaseWrite.Pin) {
            return Fixture.lease("own held", Z).document().token();
        }
        return write instanceof LeaseWrite.Replace replace
                ? replace.document().token()
                : ((LeaseWrite.Remove) write).guard().token();
    }

    private static LeaseDocument extended(Lease seen, long nowNanos, long durationNanos) {
        Decision decision = LeaseRules.decide(
                new Request.Extend(tenure("h", 3), durationNanos), seen, at(nowNanos), LocalKnowledge.NOTHING);
        return ((LeaseWrite.Replace) ((Decision.Write) decision).write()).document();
    }
}
