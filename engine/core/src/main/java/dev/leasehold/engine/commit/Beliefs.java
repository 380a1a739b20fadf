package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.protocol.Hold;
import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.StampClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What this engine's callers may believe that they hold. Safe for many threads; never blocks, does no I/O. */
public final class Beliefs {

    /** Ended beliefs are cleared away each time so many have come to those that were left. */
    private static final int SWEEP_EVERY = 1024;

    /** What the clocks showed when one was issued. */
    private record Stamp(long nowNanos, long wallNanos) {

        /** Whether wall time was further behind the monotonic clock than at another one. */
        private boolean isTighterThan(Stamp other) {
            return wallNanos - other.wallNanos < nowNanos - other.nowNanos;
        }
    }

    private final StampClock clock;
    /** Of those that were sent since the last round began; null for none. Of the engine's thread alone. */
    private @Nullable Stamp tightestStamp;

    private final Map<Tenure, BeliefSpan> spans = new ConcurrentHashMap<>();
    /** At how many spans. Of the engine's thread alone. */
    private int sweepAt = SWEEP_EVERY;
    /** Tenures being given up: nothing that is still on its way may bring their belief back. */
    private final Set<Tenure> givenUp = ConcurrentHashMap.newKeySet();
    /** How many callers have asked for the end of a tenure, and were not told yet that it is over. */
    private final Map<Tenure, Integer> askedToEnd = new ConcurrentHashMap<>();
    /** The span of all tenures that the session keeps; null without a session. */
    private volatile @Nullable BeliefSpan session;

    private volatile Losses losses = Losses::log;
    private volatile boolean closed;

    public Beliefs(StampClock clock) {
        this.clock = clock;
    }

    /** Who is to hear of losses. */
    public void tell(Losses listener) {
        losses = listener;
    }

    public boolean holds(Tenure tenure) {
        return remainingNanos(tenure) > 0;
    }

    /** How long the belief lasts yet; 0 when there is none. */
    public long remainingNanos(Tenure tenure) {
        BeliefSpan span = spanOf(tenure);
        return span == null ? 0 : span.remainingNanos();
    }

    /** The present span of a tenure; null when nothing is believed of it, or it was given up. */
    private @Nullable BeliefSpan spanOf(Tenure tenure) {
        BeliefSpan span = spans.get(tenure);
        return span == null || closed || isGivenUp(tenure) ? null : span;
    }

    /** How much was left by monotonic time of a belief that has ended by time of day; 0 if it has not. */
    public long cutShortByWallNanos(Tenure tenure) {
        BeliefSpan span = spanOf(tenure);
        return span == null ? 0 : span.cutShortByWallNanos();
    }

    /** For how long a belief was granted last, over or not; 0 for none. */
    public long grantedNanos(Tenure tenure) {
        BeliefSpan span = spanOf(tenure);
        return span == null ? 0 : span.belief().lengthNanos();
    }

    /** Why a belief was ended by somebody, in the database or on the way there; null if it was not. */
    public LeaseLoss.@Nullable Reason cutShortBy(Tenure tenure) {
        BeliefSpan span = spans.get(tenure);
        LeaseLoss.Reason end = span == null ? null : span.end();
        return end == LeaseLoss.Reason.EXPIRED ? null : end;
    }

    /** Ends a belief for good, before anything is sent that would end the tenure. */
    public void giveUp(Tenure tenure) {
        givenUp.add(tenure);
        spans.remove(tenure);
    }

    /** Whether the tenure is being given up: it may still be found in the database, but never gets its belief back. */
    boolean isGivenUp(Tenure tenure) {
        return givenUp.contains(tenure) || askedToEnd.containsKey(tenure);
    }

    /** As {@link #giveUp}, for a caller: whatever else becomes of the tenure, it stays given up until that one is answered. */
    public void callerGivesUp(Tenure tenure) {
        askedToEnd.merge(tenure, 1, Integer::sum);
        takeAway(tenure);
    }

    /** The caller's request was handed over, and whoever keeps the tenure is to know. */
    public void callerHasAsked(Tenure tenure) {
        losses.givenUp(tenure);
    }

    /** The caller is told that the tenure is over. */
    public void callerIsAnswered(Tenure tenure) {
        takeAway(tenure);
        askedToEnd.computeIfPresent(tenure, (key, callers) -> callers == 1 ? null : callers - 1);
    }

    /** Whoever sees the end before the word of it has come finds the reason. */
    private void takeAway(Tenure tenure) {
        spans.computeIfPresent(tenure, (key, span) -> span.ended(LeaseLoss.Reason.TAKEN_OVER));
    }

    /** To be called when the tenure is certainly over: nothing can form its belief any more. */
    public void forget(Tenure tenure) {
        // An extend that was under way when it was given up may have formed one, unseen until now.
        spans.remove(tenure);
        givenUp.remove(tenure);
    }

    /** The tenure is certainly over: nothing has to be known of it any more, also where a caller who asked for that went unanswered. */
    void over(Tenure tenure) {
        if (askedToEnd.containsKey(tenure)) {
            takeAway(tenure);
            askedToEnd.remove(tenure);
        }
    }

    /** How many tenures it knows something of that outlasts the belief. */
    int traces() {
        return givenUp.size() + askedToEnd.size();
    }

    /** Ends all beliefs for good. */
    public void close() {
        closed = true;
        spans.clear();
    }

    /** Ends all that is believed at this moment. What time has ended was lost by that. */
    void endAll(LeaseLoss.Reason reason) {
        List<Tenure> ended = spans.entrySet().stream()
                .filter(each -> each.getValue().remainingNanos() > 0)
                .map(Map.Entry::getKey)
                .toList();
        session = null;
        for (Tenure tenure : ended) {
            losses.lost(tenure, reason);
            spans.computeIfPresent(tenure, (key, span) -> span.ended(reason));
        }
    }

    /** Ends a belief because the database says that the tenure is over. One that time has ended was lost by that. */
    void lost(Tenure tenure) {
        BeliefSpan span = spans.get(tenure);
        if (span != null && span.remainingNanos() > 0) {
            try {
                losses.lost(tenure, LeaseLoss.Reason.TAKEN_OVER);
            } finally {
                takeAway(tenure);
            }
        }
    }

    /** What is believed of a tenure; null for nothing, or nothing any more: what was over once stays over, whatever the clocks say later. */
    @Nullable Belief get(Tenure tenure) {
        BeliefSpan span = spanOf(tenure);
        return span == null || span.remainingNanos() == 0 ? null : span.belief();
    }

    /** Forms a belief, or prolongs the one that there is; it never gets shorter. */
    void form(Tenure tenure, Hold hold) {
        sweepNowAndThen();
        if (hold instanceof Hold.Term term) {
            Belief belief = afterStamps(term.belief());
            spans.merge(tenure, new BeliefSpan(clock, belief), (old, fresh) -> old.prolong(belief) ? old : fresh);
        } else if (session != null) {
            spans.put(tenure, session);
        }
    }

    /** Prolongs a belief, unless that came too late. */
    void prolong(Tenure tenure, Hold hold) {
        BeliefSpan span = spans.get(tenure);
        if (span != null && hold instanceof Hold.Term term) {
            span.prolong(afterStamps(term.belief()));
        }
    }

    /** Of one that was in doubt for long, later stamps may be known to others already. */
    private Belief afterStamps(Belief belief) {
        Stamp stamp = tightestStamp;
        return stamp == null ? belief : belief.afterStamp(stamp.nowNanos(), stamp.wallNanos());
    }

    /**
     * A stamp is about to be sent, which shows others how far this engine's clock has come. What the session keeps is counted from the newest
     * stamp anyway.
     */
    void stamped(long nowNanos, long wallNanos) {
        Stamp stamp = new Stamp(nowNanos, wallNanos);
        if (tightestStamp == null || stamp.isTighterThan(tightestStamp)) {
            tightestStamp = stamp;
        }
        BeliefSpan ofSession = session;
        for (BeliefSpan span : spans.values()) {
            if (span != ofSession) {
                span.stamped(nowNanos, wallNanos);
            }
        }
    }

    /** A belief that is granted from now on must not be bounded by those that were sent before it. */
    void forgetStamps() {
        tightestStamp = null;
    }

    private void sweepNowAndThen() {
        if (spans.size() >= sweepAt) {
            // What time of day has ended stays until monotonic time has come as far: its holder is still to be told
            // why.
            spans.values().removeIf(span -> span.remainingNanos() == 0 && span.cutShortByWallNanos() == 0);
            sweepAt = spans.size() + SWEEP_EVERY;
        }
    }

    // ---- the session ----

    /** The session was begun or acknowledged. What was believed under a span that had ended before stays lost. */
    void acknowledged(Belief belief) {
        BeliefSpan span = session;
        if (span == null || !span.prolong(belief)) {
            session = new BeliefSpan(clock, belief);
        }
    }

    /** How long the session is believed in yet; 0 without one. */
    long sessionRemainingNanos() {
        BeliefSpan span = session;
        return span == null ? 0 : span.remainingNanos();
    }

    /** The writer's entry is gone, and with it all that its session kept. What time has ended was lost by that. */
    void evicted() {
        BeliefSpan span = session;
        session = null;
        if (span != null && span.remainingNanos() > 0) {
            List<Tenure> kept = spans.entrySet().stream()
                    .filter(each -> each.getValue() == span)
                    .map(Map.Entry::getKey)
                    .toList();
            try {
                kept.forEach(tenure -> losses.lost(tenure, LeaseLoss.Reason.EVICTED));
            } finally {
                span.end(LeaseLoss.Reason.EVICTED);
            }
        }
    }
}
