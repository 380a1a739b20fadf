package dev.leasehold.engine.internal.session;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What this engine's callers may believe that they hold. Safe for many threads; never blocks, does no I/O. */
public final class ValidityTracker {

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

    private final Map<Tenure, ValidityWindow> windows = new ConcurrentHashMap<>();
    /** At how many spans. Of the engine's thread alone. */
    private int sweepAt = SWEEP_EVERY;
    /** Tenures being given up: nothing that is still on its way may bring their belief back. */
    private final Set<Tenure> ended = ConcurrentHashMap.newKeySet();
    /** How many callers have asked for the end of a tenure, and were not told yet that it is over. */
    private final Map<Tenure, Integer> releasing = new ConcurrentHashMap<>();
    /** The span of all tenures that the session keeps; null without a session. */
    private volatile @Nullable ValidityWindow session;

    private volatile LossListener lossListener = LossListener::log;
    private volatile boolean closed;

    public ValidityTracker(StampClock clock) {
        this.clock = clock;
    }

    /** Who is to hear of losses. */
    public void listener(LossListener listener) {
        lossListener = listener;
    }

    public boolean isValid(Tenure tenure) {
        return remainingNanos(tenure) > 0;
    }

    /** How long the belief lasts yet; 0 when there is none. */
    public long remainingNanos(Tenure tenure) {
        ValidityWindow window = windowOf(tenure);
        return window == null ? 0 : window.remainingNanos();
    }

    /** The present span of a tenure; null when nothing is believed of it, or it was given up. */
    private @Nullable ValidityWindow windowOf(Tenure tenure) {
        ValidityWindow window = windows.get(tenure);
        return window == null || closed || isEnded(tenure) ? null : window;
    }

    /** How much was left by monotonic time of a belief that has ended by time of day; 0 if it has not. */
    public long cutShortByWallNanos(Tenure tenure) {
        ValidityWindow window = windowOf(tenure);
        return window == null ? 0 : window.cutShortByWallNanos();
    }

    /** For how long a belief was granted last, over or not; 0 for none. */
    public long grantedNanos(Tenure tenure) {
        ValidityWindow window = windowOf(tenure);
        return window == null ? 0 : window.validity().lengthNanos();
    }

    /** Why a belief was ended by somebody, in the database or on the way there; null if it was not. */
    public LeaseLoss.@Nullable Reason cutShortBy(Tenure tenure) {
        ValidityWindow window = windows.get(tenure);
        LeaseLoss.Reason end = window == null ? null : window.end();
        return end == LeaseLoss.Reason.EXPIRED ? null : end;
    }

    /** Ends a belief for good, before anything is sent that would end the tenure. */
    public void end(Tenure tenure) {
        ended.add(tenure);
        windows.remove(tenure);
    }

    /** Whether the tenure is being given up: it may still be found in the database, but never gets its belief back. */
    public boolean isEnded(Tenure tenure) {
        return ended.contains(tenure) || releasing.containsKey(tenure);
    }

    /** As {@link #end}, for a caller: whatever else becomes of the tenure, it stays given up until that one is answered. */
    public void callerReleases(Tenure tenure) {
        releasing.merge(tenure, 1, Integer::sum);
        endWindow(tenure);
    }

    /** The caller's request was handed over, and whoever keeps the tenure is to know. */
    public void callerSubmitted(Tenure tenure) {
        lossListener.onCallerRelease(tenure);
    }

    /** The caller is told that the tenure is over. */
    public void callerAnswered(Tenure tenure) {
        endWindow(tenure);
        releasing.computeIfPresent(tenure, (key, callers) -> callers == 1 ? null : callers - 1);
    }

    /** Whoever sees the end before the word of it has come finds the reason. */
    private void endWindow(Tenure tenure) {
        windows.computeIfPresent(tenure, (key, window) -> window.ended(LeaseLoss.Reason.TAKEN_OVER));
    }

    /** To be called when the tenure is certainly over: nothing can form its belief any more. */
    public void forget(Tenure tenure) {
        // An extend that was under way when it was given up may have formed one, unseen until now.
        windows.remove(tenure);
        ended.remove(tenure);
    }

    /** The tenure is certainly over: nothing has to be known of it any more, also where a caller who asked for that went unanswered. */
    public void tenureOver(Tenure tenure) {
        if (releasing.containsKey(tenure)) {
            endWindow(tenure);
            releasing.remove(tenure);
        }
    }

    /** How many tenures it knows something of that outlasts the belief. */
    public int rememberedCount() {
        return ended.size() + releasing.size();
    }

    /** Ends all beliefs for good. */
    public void close() {
        closed = true;
        windows.clear();
    }

    /** Ends all that is believed at this moment. What time has ended was lost by that. */
    void endAll(LeaseLoss.Reason reason) {
        List<Tenure> ended = windows.entrySet().stream()
                .filter(each -> each.getValue().remainingNanos() > 0)
                .map(Map.Entry::getKey)
                .toList();
        session = null;
        for (Tenure tenure : ended) {
            lossListener.onLost(tenure, reason);
            windows.computeIfPresent(tenure, (key, window) -> window.ended(reason));
        }
    }

    /** Ends a belief because the database says that the tenure is over. One that time has ended was lost by that. */
    public void lost(Tenure tenure) {
        ValidityWindow window = windows.get(tenure);
        if (window != null && window.remainingNanos() > 0) {
            try {
                lossListener.onLost(tenure, LeaseLoss.Reason.TAKEN_OVER);
            } finally {
                endWindow(tenure);
            }
        }
    }

    /** What is believed of a tenure; null for nothing, or nothing any more: what was over once stays over, whatever the clocks say later. */
    public @Nullable Validity get(Tenure tenure) {
        ValidityWindow window = windowOf(tenure);
        return window == null || window.remainingNanos() == 0 ? null : window.validity();
    }

    /** Forms a belief, or prolongs the one that there is; it never gets shorter. */
    public void begin(Tenure tenure, HoldBasis basis) {
        sweepIfDue();
        if (basis instanceof HoldBasis.Term term) {
            Validity validity = afterStamps(term.validity());
            windows.merge(
                    tenure, new ValidityWindow(clock, validity), (old, fresh) -> old.prolong(validity) ? old : fresh);
        } else if (session != null) {
            windows.put(tenure, session);
        }
    }

    /** Prolongs a belief, unless that came too late. */
    public void prolong(Tenure tenure, HoldBasis basis) {
        ValidityWindow window = windows.get(tenure);
        if (window != null && basis instanceof HoldBasis.Term term) {
            window.prolong(afterStamps(term.validity()));
        }
    }

    /** Of one that was in doubt for long, later stamps may be known to others already. */
    private Validity afterStamps(Validity validity) {
        Stamp stamp = tightestStamp;
        return stamp == null ? validity : validity.afterStamp(stamp.nowNanos(), stamp.wallNanos());
    }

    /**
     * A stamp is about to be sent, which shows others how far this engine's clock has come. What the session keeps is counted from the newest
     * stamp anyway.
     */
    public void stamped(long nowNanos, long wallNanos) {
        Stamp stamp = new Stamp(nowNanos, wallNanos);
        if (tightestStamp == null || stamp.isTighterThan(tightestStamp)) {
            tightestStamp = stamp;
        }
        ValidityWindow ofSession = session;
        for (ValidityWindow window : windows.values()) {
            if (window != ofSession) {
                window.stamped(nowNanos, wallNanos);
            }
        }
    }

    /** A belief that is granted from now on must not be bounded by those that were sent before it. */
    public void forgetStamps() {
        tightestStamp = null;
    }

    private void sweepIfDue() {
        if (windows.size() >= sweepAt) {
            // What time of day has ended stays until monotonic time has come as far: its holder is still to be told
            // why.
            windows.values().removeIf(window -> window.remainingNanos() == 0 && window.cutShortByWallNanos() == 0);
            sweepAt = windows.size() + SWEEP_EVERY;
        }
    }

    // ---- the session ----

    /** The session was begun or acknowledged. What was believed under a span that had ended before stays lost. */
    void acknowledged(Validity validity) {
        ValidityWindow window = session;
        if (window == null || !window.prolong(validity)) {
            session = new ValidityWindow(clock, validity);
        }
    }

    /** How long the session is believed in yet; 0 without one. */
    long sessionRemainingNanos() {
        ValidityWindow window = session;
        return window == null ? 0 : window.remainingNanos();
    }

    /** The writer's entry is gone, and with it all that its session kept. What time has ended was lost by that. */
    void evicted() {
        ValidityWindow window = session;
        session = null;
        if (window != null && window.remainingNanos() > 0) {
            List<Tenure> kept = windows.entrySet().stream()
                    .filter(each -> each.getValue() == window)
                    .map(Map.Entry::getKey)
                    .toList();
            try {
                kept.forEach(tenure -> lossListener.onLost(tenure, LeaseLoss.Reason.EVICTED));
            } finally {
                window.end(LeaseLoss.Reason.EVICTED);
            }
        }
    }
}
