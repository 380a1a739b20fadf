package dev.leasehold.engine.handle;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.commit.Reply;
import dev.leasehold.engine.commit.Subject;
import dev.leasehold.engine.handle.Agenda.Alarm;
import dev.leasehold.engine.store.LeaseChange;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who wait for one lease, in the order in which they came. One attempt at a time is made, by the first of them; its refusal
 * answers all who had arrived before it began. Between attempts the line sleeps until something says that a look is
 * worthwhile. Of the agenda's thread alone.
 */
final class Line {

    private static final Logger LOG = LoggerFactory.getLogger(Line.class);

    private final String name;
    private final Surroundings around;
    private final Holdings holdings;
    private final Releases releases;
    private final Members members;
    private final Waiters waiters;
    private @Nullable Attempt attempt;
    private boolean worthALook;
    private boolean hasWaited;
    private @Nullable Alarm bound;
    private @Nullable LeaseState lastSeen;
    private @Nullable Long freedNanos;
    /** The newest that was told of the lease since the present attempt began. */
    private LeaseChange.@Nullable OfLease heardMeanwhile;

    /** Hears who comes and goes. */
    interface Members {
        void came();

        void went();

        /** For the first time somebody goes on waiting after a look. */
        void waits();

        /** Somebody goes on waiting for a lease that a session keeps. */
        void refusedBySession();

        /** Somebody may have ended what was just granted. */
        void suspects(Holding holding);

        /** Nobody is left. */
        void over(Line line);
    }

    Line(String name, Surroundings around, Holdings holdings, Releases releases, Members members) {
        this.name = name;
        this.around = around;
        this.holdings = holdings;
        this.releases = releases;
        this.members = members;
        this.waiters = new Waiters(around, members::went);
    }

    String name() {
        return name;
    }

    /** Whether anybody in it ever went on waiting after a look. */
    boolean hasWaited() {
        return hasWaited;
    }

    /** Nobody is looking, so that a look by others tells something. */
    boolean sleeps() {
        return attempt == null;
    }

    /** Whether the lease was last seen to be kept by somebody's session. */
    boolean waitsForASession() {
        return !(lastSeen instanceof LeaseState.Held held) || held.session();
    }

    void join(Waiter waiter) {
        waiters.add(waiter);
        members.came();
        if (waiter.endNanos() > waiter.arrivedNanos()) {
            waiter.ringAt(around.agenda().at(waiter.endNanos(), () -> waitOver(waiter)));
        } else {
            endHard(waiter);
        }
        wake();
    }

    /** A look is worthwhile. */
    void wake() {
        worthALook = true;
        proceed();
    }

    /** The lease was given up, so somebody says. */
    void freed() {
        if (freedNanos == null) {
            freedNanos = around.nowNanos();
        }
        wake();
    }

    /** Somebody has changed the lease. What the attempt under way is granted may be over by then, and that is not told again. */
    void heardOf(LeaseChange.OfLease change) {
        heardMeanwhile = change;
        if (change instanceof LeaseChange.Freed freed) {
            around.operations().heardOf(freed);
            freed();
        }
    }

    /** How the lease stood at a look that was made for all who wait for anything. */
    void seen(LeaseState state) {
        if (mayBeTaken(state)) {
            wake();
        } else {
            lookAfter(state);
        }
    }

    private static boolean mayBeTaken(LeaseState state) {
        return switch (state.status()) {
            case FREE ->
                !(state instanceof LeaseState.Vacant vacant)
                        || vacant.pins().isEmpty() && vacant.keptFreeUntil() == null;
            case EXPIRED ->
                !(state instanceof LeaseState.Held held) || held.pins().isEmpty();
            case ACTIVE -> false;
            // Its waiters are to be told.
            case CORRUPT -> true;
        };
    }

    private void proceed() {
        if (attempt == null && worthALook && !waiters.isEmpty() && !releases.keepsFree(name)) {
            worthALook = false;
            Waiter next = waiters.next();
            next.maySupersede(false);
            heardMeanwhile = null;
            attempt = new Attempt(around, next, waiters.lastPlace(), this::ended);
            attempt.send();
        } else if (attempt == null && waiters.isEmpty()) {
            lookAfter(null);
            members.over(this);
        }
    }

    private void ended(Attempt ended, @Nullable Reply reply, @Nullable LeaseException failure) {
        attempt = null;
        if (reply == null) {
            failed(ended, Objects.requireNonNull(failure, "no reply without a failure"));
        } else if (reply.refusal() != null) {
            refused(ended, reply.refusal());
        } else {
            granted(
                    ended,
                    Objects.requireNonNull(reply.tenure(), "a granted acquisition names its tenure"),
                    reply.stripes());
        }
        noteWaiting();
        proceed();
    }

    private void noteWaiting() {
        if (!hasWaited && waiters.anybodyWasLookedAt()) {
            hasWaited = true;
            members.waits();
        }
    }

    // ---- yes ----

    private void granted(Attempt granted, Tenure tenure, int stripes) {
        if (releases.isUnderWay(tenure)) {
            // An end of the same tenure is on its way; when it is over this line is woken.
            waiters.endOverdue();
            return;
        }
        List<Waiter> takers = takers(granted, tenure);
        if (takers.isEmpty()) {
            releases.release(tenure);
            LOG.debug("{}: granted, but nobody waits for it any more", Subject.of(tenure));
        } else {
            noteHandOver();
            Holding holding = holdings.begin(tenure, granted.waiter().wish(), stripes);
            takers.forEach(taker -> waiters.hand(taker, holdings.open(holding)));
            loseIfHeardOfItsEnd(holding);
            lookAfter(null);
        }
        // Nobody may come to hear of an end: what was there before is not given back.
        worthALook |= !waiters.everybodyWasLookedAt();
    }

    private void loseIfHeardOfItsEnd(Holding holding) {
        if (heardMeanwhile != null && !heardMeanwhile.wasLookedAt()) {
            members.suspects(holding);
        } else if (heardMeanwhile != null && heardMeanwhile.showsTheEndOf(holding.tenure())) {
            holdings.lose(holding, Reason.TAKEN_OVER, null);
        }
    }

    /** If its time was over when the answer came, others may have had it since: it is for those alone who had asked before. */
    private List<Waiter> takers(Attempt granted, Tenure tenure) {
        List<Waiter> owners = waiters.of(tenure.holder());
        return around.operations().remainingNanos(tenure) > 0
                ? owners
                : owners.stream().filter(granted::looksFor).toList();
    }

    private void noteHandOver() {
        if (freedNanos != null) {
            around.meters().handedOver(around.nowNanos() - freedNanos);
            freedNanos = null;
        }
    }

    // ---- no ----

    private void refused(Attempt refused, Refusal refusal) {
        if (!worthALook) {
            freedNanos = null;
        }
        lookAfter(refusal.state());
        for (Waiter waiter : waiters.all()) {
            if (waiter.couldSupersede(refusal.state()) && !refused.waiter().couldSupersede(refusal.state())) {
                waiter.maySupersede(true);
                worthALook = true;
            } else if (refused.looksFor(waiter)) {
                waiter.refused(refusal);
                endIfOver(waiter);
            }
        }
        if (refusal.state() instanceof LeaseState.Held held && held.session() && !waiters.isEmpty()) {
            members.refusedBySession();
        }
    }

    /** Sleeps until the instant after the bound. One that had passed before did not help, so others have to wake the line. */
    private void lookAfter(@Nullable LeaseState state) {
        lastSeen = state;
        if (bound != null) {
            around.agenda().cancel(bound);
            bound = null;
        }
        Instant last = lastInstant(state);
        if (last != null) {
            long boundNanos = nanos(last);
            if (boundNanos < Long.MAX_VALUE && (boundNanos >= around.nowNanos() || hadNotPassed(state))) {
                bound = around.agenda().at(boundNanos + 1, this::wake);
            }
        }
    }

    /** After which the lease may be taken, as far as that is known. */
    private static @Nullable Instant lastInstant(@Nullable LeaseState state) {
        if (state instanceof LeaseState.Held held) {
            return held.latestExpiry();
        }
        return state instanceof LeaseState.Vacant vacant ? vacant.keptFreeUntil() : null;
    }

    /** Whether the bound was yet to come when the lease was seen. An engine's own session is active for it past its bound too. */
    private static boolean hadNotPassed(@Nullable LeaseState state) {
        return !(state instanceof LeaseState.Held held) || held.status() == LeaseStatus.ACTIVE && !held.session();
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    // ---- neither ----

    private void failed(Attempt failed, LeaseException failure) {
        Waiter waiter = failed.waiter();
        if (failure instanceof LeaseOutcomeUnknownException unknown) {
            giveBackIfItLanded(failed, unknown);
        }
        if (!waiters.has(waiter)) {
            worthALook = true;
        } else if (mayPass(failure) && around.nowNanos() < waiter.endNanos()) {
            waiter.failed(failure);
            around.agenda().at(around.inNanos(around.pauseNanos(waiter.failures())), this::wake);
        } else {
            waiters.fail(waiter, failure);
            worthALook = true;
        }
    }

    private static boolean mayPass(LeaseException failure) {
        return failure instanceof LeaseUnavailableException || failure instanceof LeaseContentionException;
    }

    /** The caller was told that it does not hold the lease. */
    private void giveBackIfItLanded(Attempt failed, LeaseOutcomeUnknownException unknown) {
        unknown.resolution().whenComplete((answer, failure) -> {
            if (answer instanceof Granted granted) {
                around.agenda().post(() -> releases.release(granted.tenure()));
            } else if (isNeverToBeKnown(failure) && failed.aim() != null) {
                // The session would keep it for ever.
                around.agenda().post(() -> releases.release(Objects.requireNonNull(failed.aim())));
            }
        });
    }

    private static boolean isNeverToBeKnown(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LeaseStoreException;
    }

    // ---- the end of a wait ----

    private void waitOver(Waiter waiter) {
        if (!waiters.has(waiter)) {
            return;
        }
        // Its first attempt is made in any case, and one whose commit was sent counts.
        if (waiter.wasLookedAt() && mayLeave(waiter)) {
            waiters.end(waiter);
        } else {
            endHard(waiter);
        }
        proceed();
    }

    /** Whether nothing is under way for it that could still take effect. */
    private boolean mayLeave(Waiter waiter) {
        if (attempt == null || attempt.waiter() != waiter) {
            return true;
        }
        if (attempt.abandon()) {
            attempt = null;
            worthALook = true;
            return true;
        }
        return false;
    }

    private void endHard(Waiter waiter) {
        waiter.ringAt(around.agenda().at(waiter.hardEndNanos(), () -> hardEnd(waiter)));
    }

    private void hardEnd(Waiter waiter) {
        boolean attempting = attempt != null && attempt.waiter() == waiter;
        if (waiters.has(waiter) && !attempting) {
            waiters.end(waiter);
            proceed();
        }
    }

    private void endIfOver(Waiter waiter) {
        if (around.nowNanos() >= waiter.endNanos()) {
            waiters.end(waiter);
        }
    }

    /** Its caller went. What may have been granted for it by now is given back when that is known. */
    boolean withdraw(Waiter waiter) {
        if (!waiters.has(waiter)) {
            return false;
        }
        waiters.withdraw(waiter);
        mayLeave(waiter);
        proceed();
        return true;
    }

    /** The engine is closed. */
    void close(LeaseException closed) {
        waiters.all().forEach(waiter -> waiters.fail(waiter, closed));
        lookAfter(null);
        if (attempt != null && attempt.abandon()) {
            attempt = null;
        }
        proceed();
    }
}
