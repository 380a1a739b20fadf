package dev.leasehold.engine.handle;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.commit.Losses;
import dev.leasehold.engine.commit.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tenures that handles are open for, and how they end. Of the agenda's thread alone, apart from their number. */
final class Holdings {

    private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);

    /** Some machines show time of day in milliseconds, so that it may be as far behind when something is granted. */
    private static final long WALL_BEHIND_NANOS = 1_000_000;

    private final Surroundings around;
    private final Releases releases;
    private final Consumer<String> freed;
    private final BooleanSupplier closed;
    private final Pulse pulse;
    private final Map<String, Holding> byName = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private boolean releasing = true;

    /**
     * Without any.
     *
     * @param freed gets the name of each lease that somebody else has ended
     * @param closed whether the engine was closed, which ends all beliefs
     */
    Holdings(Surroundings around, Releases releases, Consumer<String> freed, BooleanSupplier closed) {
        this.around = around;
        this.releases = releases;
        this.freed = freed;
        this.closed = closed;
        this.pulse = new Pulse(around, this);
    }

    /** How many tenures are held. Any thread may ask. */
    int count() {
        return count.get();
    }

    /** Whether something was held for long, at the last look. */
    boolean anyHeldForLong() {
        return count() > 0 && pulse.sawLongHeld();
    }

    /** Whether it is none of the past. */
    boolean has(Holding holding) {
        return of(holding.tenure().name()) == holding;
    }

    List<Holding> all() {
        return List.copyOf(byName.values());
    }

    /** That of a lease, which may have ended. */
    @Nullable Holding of(String name) {
        return byName.get(name);
    }

    /** What a holder holds, if it may be believed. */
    @Nullable Holding believed(String name, String holder) {
        Holding holding = find(name, holder);
        if (holding == null) {
            return null;
        }
        loseIfEnded(holding);
        return holding.remainingNanos() > 0 ? holding : null;
    }

    private @Nullable Holding find(String name, String holder) {
        Holding holding = of(name);
        return holding != null && holding.tenure().holder().equals(holder) ? holding : null;
    }

    private @Nullable Holding find(Tenure tenure) {
        Holding holding = of(tenure.name());
        return holding != null && holding.tenure().equals(tenure) ? holding : null;
    }

    /** A tenure was granted. Whoever held the lease before holds it no longer, whether that was noticed or not. */
    Holding begin(Tenure tenure, Wish wish, int stripes) {
        Holding former = of(tenure.name());
        if (former != null) {
            loseIfEnded(former);
            lose(former, Reason.TAKEN_OVER, null);
        }
        Holding holding = new Holding(tenure, wish, stripes, around, this::endSeen);
        byName.put(tenure.name(), holding);
        count.incrementAndGet();
        pulse.begin(holding);
        if (!holding.isSessionLease()) {
            Renewal renewal = new Renewal(around, holding, this);
            holding.renewBy(renewal);
            renewal.schedule();
        }
        return holding;
    }

    /** Another handle of a tenure. */
    LeaseHandle open(Holding holding) {
        LeaseHandle handle = new LeaseHandle(holding, this, around);
        holding.open().add(handle);
        return handle;
    }

    /**
     * A handle was closed. Completes with true when the tenure is certainly over in the database; with false when another handle of it
     * is open, it was lost and is left to run out, or the engine was closed first.
     */
    CompletableFuture<Boolean> close(LeaseHandle handle) {
        Holding holding = handle.holding();
        holding.open().remove(handle);
        if (handle.wasDelivered()) {
            holding.noteUse();
        }
        if (holding.open().isEmpty() && remove(holding)) {
            return giveBack(holding);
        }
        // What was lost by time may have to be released yet, by the engine itself.
        return releases.isUnderWay(holding.tenure())
                ? releases.release(holding.tenure())
                : CompletableFuture.completedFuture(isOver(holding));
    }

    private CompletableFuture<Boolean> giveBack(Holding holding) {
        return releases.release(holding.tenure(), holding.notBeforeNanos());
    }

    /** Whether the database shows the tenure no longer, of one that nothing is sent for any more. */
    private static boolean isOver(Holding holding) {
        LeaseLoss loss = holding.loss();
        return loss != null
                && switch (loss.reason()) {
                    case TAKEN_OVER, EVICTED -> true;
                    case EXPIRED, NOT_RENEWED, CLOCK_ANOMALY -> holding.isSessionLease();
                    case CLOSED, ENGINE_FAILED -> false;
                };
    }

    private boolean remove(Holding holding) {
        if (!has(holding)) {
            return false;
        }
        byName.remove(holding.tenure().name());
        count.decrementAndGet();
        if (holding.renewal() != null) {
            holding.renewal().stop();
        }
        return true;
    }

    /** Somebody has asked and was told that it is over, before anybody here has noticed. Any thread. */
    private void endSeen() {
        pulse.look();
    }

    /** Its time may be over. What the closing of the engine has ended is about to be told so. */
    void loseIfEnded(Holding holding) {
        if (holding.remainingNanos() == 0 && !closed.getAsBoolean()) {
            loseAsSeen(holding);
        }
    }

    /** The word of why it has ended may be on its way. */
    private void loseAsSeen(Holding holding) {
        Reason cutShortBy = around.operations().cutShortBy(holding.tenure());
        if (cutShortBy == null) {
            loseByTime(holding);
        } else if (cutShortBy == Reason.TAKEN_OVER) {
            loseToACaller(holding);
        } else {
            lose(holding, cutShortBy, null);
        }
    }

    private void loseByTime(Holding holding) {
        Throwable trouble = holding.renewal() == null
                ? around.operations().renewalTrouble(holding.tenure())
                : holding.renewal().giveUpUnanswered();
        if (hasClockAnomaly(holding)) {
            lose(holding, Reason.CLOCK_ANOMALY, null);
        } else if (trouble != null) {
            lose(holding, Reason.NOT_RENEWED, trouble);
        } else {
            lose(holding, Reason.EXPIRED, null);
        }
    }

    /**
     * Two clocks that keep to the drift bound come to the end of what was granted at instants a little apart. That is no anomaly. It
     * may have been granted for longer than the handle was asked for, to another one of the same tenure or to a caller who has
     * extended it.
     */
    private boolean hasClockAnomaly(Holding holding) {
        long grantedNanos = around.operations().grantedNanos(holding.tenure());
        long mayDifferNanos = around.settings().drift().stretchNanos(grantedNanos) - grantedNanos + WALL_BEHIND_NANOS;
        return around.operations().cutShortByWallNanos(holding.tenure()) > mayDifferNanos;
    }

    /** A caller has asked for the end of a tenure by itself. Most often it is none of these. */
    void givenUp(Tenure tenure) {
        Holding holding = find(tenure);
        if (holding != null) {
            loseToACaller(holding);
        }
    }

    private void loseToACaller(Holding holding) {
        lose(holding, Reason.TAKEN_OVER, null);
        // Behind the caller's own, if there is one, which may come to nothing: the session would keep the lease for
        // ever.
        giveBack(holding);
    }

    /** Somebody says that a tenure is over. It may be none of these. */
    void lost(Tenure tenure, Reason reason) {
        Holding holding = find(tenure);
        if (holding != null) {
            lose(holding, reason, null);
        } else {
            Losses.log(tenure, reason);
        }
    }

    void lose(Holding holding, Reason reason, @Nullable Throwable cause) {
        if (!has(holding)) {
            return;
        }
        LeaseLoss loss = new LeaseLoss(holding.tenure(), reason, message(reason, cause), cause);
        holding.end(loss);
        around.operations().giveUp(holding.tenure());
        // Only what is here is looked at again.
        remove(holding);
        try {
            report(loss);
        } finally {
            tell(holding, loss);
        }
    }

    private void tell(Holding holding, LeaseLoss loss) {
        try {
            holding.open().forEach(handle -> handle.lost(loss));
        } finally {
            settle(holding, loss.reason());
        }
    }

    /**
     * A session that lives on would keep a lease for ever that was lost by time, so it is given back. A term is left to run out: it may
     * have been extended elsewhere by its tenure, and whoever did that was promised it.
     */
    private void settle(Holding holding, Reason reason) {
        switch (reason) {
            case TAKEN_OVER, EVICTED -> leave(holding);
            case EXPIRED, NOT_RENEWED, CLOCK_ANOMALY -> {
                if (holding.isSessionLease()) {
                    giveBack(holding);
                } else {
                    leave(holding);
                }
            }
            case CLOSED, ENGINE_FAILED -> {
                // The end of the session frees the others at once, and all together.
                if (releasing && (!holding.isSessionLease() || holding.notBeforeNanos() != null)) {
                    giveBack(holding);
                }
            }
        }
    }

    private void leave(Holding holding) {
        around.operations().forget(holding.tenure());
        freed.accept(holding.tenure().name());
    }

    private void report(LeaseLoss loss) {
        around.meters().lost(loss.reason());
        if (loss.reason() == Reason.CLOSED) {
            LOG.info("{}: lost: {}", Subject.of(loss.tenure()), loss.message());
        } else {
            LOG.warn("{}: lost: {}", Subject.of(loss.tenure()), loss.message());
        }
    }

    /** With the cause in it: the log has one line for each of the leases, and no stack trace for any. */
    private static String message(Reason reason, @Nullable Throwable cause) {
        return Losses.inWords(reason)
                + (cause == null ? "" : ": " + (cause instanceof Error ? cause : cause.getMessage()));
    }

    /**
     * The engine is closed. Whatever goes wrong with one of them, the others are lost as well.
     *
     * @param releasing whether those with a term are released
     */
    void closeAll(Reason reason, @Nullable Throwable cause, boolean releasing) {
        this.releasing = releasing;
        all().forEach(holding -> around.agenda().guarded(() -> lose(holding, reason, cause)));
    }
}
