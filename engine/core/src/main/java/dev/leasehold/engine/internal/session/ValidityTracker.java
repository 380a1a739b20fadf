package dev.leasehold.engine.internal.session;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The validity of each tenure: until when callers of this engine may act as its holder. Thread-safe unless stated
 * otherwise; never blocks and does no I/O.
 */
public final class ValidityTracker {

    /** After so many new windows the expired ones are removed. */
    private static final int SWEEP_EVERY = 1024;

    private record Stamp(long nowNanos, long wallNanos) {

        /** Whether wall time was further behind the monotonic clock than at the other stamp. */
        private boolean isTighterThan(Stamp other) {
            return wallNanos - other.wallNanos < nowNanos - other.nowNanos;
        }
    }

    private record AllEnded(int times, LeaseLoss.Reason reason) {}

    private final StampClock clock;
    /** The tightest of the stamps sent since the last round began; null for none. Engine thread only. */
    private @Nullable Stamp tightestStamp;

    private final Map<Tenure, ValidityWindow> windows = new ConcurrentHashMap<>();
    private int sweepAt = SWEEP_EVERY;
    /** Tenures being released: no operation that is still under way may revive their validity. */
    private final Set<Tenure> ended = ConcurrentHashMap.newKeySet();
    /** The number of callers that release a tenure and have no answer yet. */
    private final Map<Tenure, Integer> releasing = new ConcurrentHashMap<>();
    /** The window that all tenures of the session share; null without a session. */
    private final AtomicReference<@Nullable ValidityWindow> session = new AtomicReference<>();

    /** How often all validities were ended, and why the last time. What was decided before begins none. */
    private volatile AllEnded allEnded = new AllEnded(0, LeaseLoss.Reason.EXPIRED);
    /** The same when the engine last decided. Engine thread only. */
    private int endsAtDecision;

    private volatile LossListener lossListener = LossListener::log;
    private volatile boolean closed;

    public ValidityTracker(StampClock clock) {
        this.clock = clock;
    }

    public void listener(LossListener listener) {
        lossListener = listener;
    }

    public boolean isValid(Tenure tenure) {
        return remainingNanos(tenure) > 0;
    }

    public long remainingNanos(Tenure tenure) {
        return ofWindow(tenure, ValidityWindow::remainingNanos);
    }

    /** How much validity was left by monotonic time when time of day ended it; 0 if time of day did not. */
    public long cutShortByWallNanos(Tenure tenure) {
        return ofWindow(tenure, ValidityWindow::cutShortByWallNanos);
    }

    /** The length of the latest grant or renewal, also after its expiry; 0 for none. */
    public long grantedNanos(Tenure tenure) {
        return ofWindow(tenure, window -> window.validity().lengthNanos());
    }

    private long ofWindow(Tenure tenure, ToLongFunction<ValidityWindow> value) {
        ValidityWindow window = windowOf(tenure);
        return window == null ? 0 : value.applyAsLong(window);
    }

    /** The present window of a tenure; null if it has none or was released. */
    private @Nullable ValidityWindow windowOf(Tenure tenure) {
        ValidityWindow window = windows.get(tenure);
        return closed || isEnded(tenure) ? null : window;
    }

    /** Why a validity ended other than by expiry; null if it did not. */
    public LeaseLoss.@Nullable Reason cutShortBy(Tenure tenure) {
        ValidityWindow window = windows.get(tenure);
        LeaseLoss.Reason end = window == null ? null : window.end();
        return end == LeaseLoss.Reason.EXPIRED ? null : end;
    }

    /** Ends a validity for good. Call it before sending anything that would end the tenure. */
    public void end(Tenure tenure) {
        ended.add(tenure);
        windows.remove(tenure);
    }

    /** Whether the tenure is being released: it may still be in the database but never becomes valid again. */
    public boolean isEnded(Tenure tenure) {
        return ended.contains(tenure) || releasing.containsKey(tenure);
    }

    /** As {@link #end}, for a release by a caller: the tenure stays ended at least until that caller is answered. */
    public void callerReleases(Tenure tenure) {
        releasing.merge(tenure, 1, Integer::sum);
        endWindow(tenure);
    }

    /** The caller is answered that the tenure is over. */
    public void callerAnswered(Tenure tenure) {
        endWindow(tenure);
        releasing.computeIfPresent(tenure, (key, callers) -> callers == 1 ? null : callers - 1);
    }

    /** Keeps the reason for a caller that sees the end before the listener has handled it. */
    private void endWindow(Tenure tenure) {
        windows.computeIfPresent(tenure, (key, window) -> window.ended(LeaseLoss.Reason.TAKEN_OVER));
    }

    /** Call it when the tenure is certainly over, so that no operation can make it valid any more. */
    public void forget(Tenure tenure) {
        // An extend that was under way at the release may have begun a window, hidden until now.
        windows.remove(tenure);
        ended.remove(tenure);
    }

    /** A majority has had this state of the lease: the tenures before it are over, and its own if it is vacant. */
    public void shown(LeaseDocument document) {
        for (Tenure tenure : releasing.keySet()) {
            boolean ended = tenure.token() < document.token() || document.isVacant();
            // An unknown write may be found to have landed after a later tenure began.
            if (ended && tenure.token() <= document.token() && tenure.name().equals(document.name())) {
                tenureOver(tenure);
            }
        }
    }

    /** The tenure is certainly over: forgets its callers' releases, also those that were never answered. */
    public void tenureOver(Tenure tenure) {
        if (releasing.containsKey(tenure)) {
            endWindow(tenure);
            releasing.remove(tenure);
        }
    }

    /** The number of tenures with an entry that outlasts the validity. */
    public int rememberedCount() {
        return ended.size() + releasing.size();
    }

    public void close() {
        closed = true;
        windows.clear();
    }

    /**
     * Ends all validities. What was decided before has none, even if it is granted later. A session needs a new
     * acknowledgement.
     */
    public void endAll(LeaseLoss.Reason reason) {
        countEnd(reason);
        ValidityWindow window = session.getAndSet(null);
        try {
            windows.keySet().forEach(tenure -> lost(tenure, reason));
        } finally {
            end(window, reason);
        }
    }

    private synchronized void countEnd(LeaseLoss.Reason reason) {
        allEnded = new AllEnded(allEnded.times + 1, reason);
    }

    /** What is granted from now on was decided after all validities that have ended so far. Engine thread only. */
    public void decides() {
        endsAtDecision = allEnded.times;
    }

    /** A tenure that is being granted right now may share the window. */
    private static void end(@Nullable ValidityWindow window, LeaseLoss.Reason reason) {
        if (window != null && window.remainingNanos() > 0) {
            window.end(reason);
        }
    }

    /** Ends a validity, since the database shows that the tenure is over. */
    public void lost(Tenure tenure) {
        lost(tenure, LeaseLoss.Reason.TAKEN_OVER);
    }

    /** Reports the loss before the end can be seen. An expired tenure was lost by expiry, and is not reported. */
    public void lost(Tenure tenure, LeaseLoss.Reason reason) {
        ValidityWindow window = windows.get(tenure);
        if (window != null && window.remainingNanos() > 0) {
            try {
                lossListener.onLost(tenure, reason);
            } finally {
                windows.computeIfPresent(tenure, (key, present) -> present.ended(reason));
            }
        }
    }

    /**
     * The validity of a tenure; null if it has none. A window that was seen expired stays expired, whatever the clocks
     * show later.
     */
    public @Nullable Validity get(Tenure tenure) {
        ValidityWindow window = windowOf(tenure);
        return window == null || window.remainingNanos() == 0 ? null : window.validity();
    }

    /** Begins a validity, or prolongs the present one; never shortens it. */
    public void begin(Tenure tenure, HoldBasis basis) {
        sweepIfDue();
        // Read once, since other threads may report the end of the session. Then they end this window too.
        ValidityWindow ofSession = session.get();
        if (basis instanceof HoldBasis.Term term) {
            Validity validity = afterStamps(term.validity());
            windows.merge(
                    tenure, new ValidityWindow(clock, validity), (old, fresh) -> old.prolong(validity) ? old : fresh);
        } else if (ofSession != null) {
            windows.put(tenure, ofSession);
        }
        endIfDecidedBefore(tenure);
    }

    /** Afterwards, since other threads may end all: they have seen the new window, or this sees that they have been here. */
    private void endIfDecidedBefore(Tenure tenure) {
        AllEnded last = allEnded;
        if (last.times != endsAtDecision) {
            lost(tenure, last.reason);
        }
    }

    public void prolong(Tenure tenure, HoldBasis basis) {
        ValidityWindow window = windows.get(tenure);
        if (window != null && basis instanceof HoldBasis.Term term) {
            window.prolong(afterStamps(term.validity()));
        }
    }

    /** Other engines may have seen stamps sent after a write whose outcome was unknown for long. */
    private Validity afterStamps(Validity validity) {
        Stamp stamp = tightestStamp;
        return stamp == null ? validity : validity.afterStamp(stamp.nowNanos(), stamp.wallNanos());
    }

    /**
     * Issues the stamp of a write that is about to be sent, which shows other engines how far this engine's clock has
     * advanced. So it bounds the windows of term leases. The window of the session counts from the newest stamp anyway.
     */
    public long issueStamp(long nowNanos, long wallNanos) {
        long stampNanos = clock.nextStampNanos(nowNanos);
        Stamp stamp = new Stamp(nowNanos, wallNanos);
        if (tightestStamp == null || stamp.isTighterThan(tightestStamp)) {
            tightestStamp = stamp;
        }
        ValidityWindow ofSession = session.get();
        for (ValidityWindow window : windows.values()) {
            if (window != ofSession) {
                window.stamped(nowNanos, wallNanos);
            }
        }
        return stampNanos;
    }

    /** A validity that begins from now on is not bounded by the stamps sent so far. */
    public void forgetStamps() {
        tightestStamp = null;
    }

    private void sweepIfDue() {
        if (windows.size() >= sweepAt) {
            // A window that time of day ended stays until monotonic time ends it too: its holder still needs the
            // reason.
            windows.values().removeIf(window -> window.remainingNanos() == 0 && window.cutShortByWallNanos() == 0);
            sweepAt = windows.size() + SWEEP_EVERY;
        }
    }

    /** A read has shown a lease that the session of the present writer keeps. The caller makes sure that no outcome is unknown. */
    public void seenKept(LeaseDocument kept) {
        Tenure tenure = kept.tenure();
        if (!windows.containsKey(tenure) && !isEnded(tenure) && !closed) {
            lossListener.onUnknown(tenure, kept.writtenNanos());
        }
    }

    // ---- the session ----

    /** The session was begun or acknowledged. Tenures of a window that had ended before stay lost. */
    void acknowledged(Validity validity) {
        ValidityWindow window = session.get();
        if (window == null || !window.prolong(validity)) {
            session.set(new ValidityWindow(clock, validity));
        }
    }

    long sessionRemainingNanos() {
        ValidityWindow window = session.get();
        return window == null ? 0 : window.remainingNanos();
    }

    /** The writer's entry is gone, and with it all leases of its session. */
    public void evicted() {
        ValidityWindow window = session.getAndSet(null);
        if (window != null && window.remainingNanos() > 0) {
            try {
                windows.forEach((tenure, each) -> {
                    if (each == window) {
                        lost(tenure, LeaseLoss.Reason.EVICTED);
                    }
                });
            } finally {
                window.end(LeaseLoss.Reason.EVICTED);
            }
        }
    }
}
