package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of an engine, and what its caller was told. An acquisition that was granted is also the handle that it gave. */
final class Call {

    final Incarnation by;
    final int number;
    final Operation operation;
    final long calledNanos;
    /** What its caller was told at first; null if it never was. */
    @Nullable Answer answer;
    /** When it returned; NEVER if it never did. */
    long answeredNanos = Incarnation.NEVER;

    private @Nullable Answer resolution;
    private long resolvedNanos = Incarnation.NEVER;
    /** When its handle began to be closed; NEVER if that never was. */
    long closedNanos = Incarnation.NEVER;
    /** The times that its handle told of its loss. */
    final List<Event.Lost> losses = new ArrayList<>(1);

    Call(Event.Called event, Incarnation by) {
        this.by = by;
        this.number = event.call();
        this.operation = event.operation();
        this.calledNanos = event.atNanos();
    }

    void answered(Event.Answered answered) {
        if (answer != null) {
            throw new IllegalArgumentException(this + " was answered twice");
        }
        answer = answered.answer();
        answeredNanos = answered.atNanos();
    }

    void resolved(Event.Resolved resolved) {
        boolean wasKnown = answer != null && answer.kind() != Answer.Kind.UNKNOWN;
        if (wasKnown || resolution != null) {
            throw new IllegalArgumentException(this + " was answered for good twice");
        }
        resolution = resolved.answer();
        resolvedNanos = resolved.atNanos();
    }

    Kind kind() {
        return operation.kind();
    }

    /** About which lease; null for all. */
    @Nullable String lease() {
        HeldTenure tenure = operation.tenure();
        return operation.lease() != null || tenure == null ? operation.lease() : tenure.lease();
    }

    /** How far its caller's clock ran until it returned. */
    long ranNanos() {
        return by.clock.elapsedNanos(calledNanos, answeredNanos);
    }

    boolean isAnswered(Answer.Kind kind) {
        return answer != null && answer.kind() == kind;
    }

    /** Whether its caller was told yes at first, and this tenure with it. */
    boolean isYesWith(HeldTenure tenure) {
        return answer != null && answer.kind() == Answer.Kind.YES && tenure.equals(answer.tenure());
    }

    boolean isAnsweredFor(String reason) {
        return answer != null && reason.equals(answer.reason());
    }

    /** What its caller was told in the end; null for nothing. */
    @Nullable Answer lastWord() {
        return resolution == null ? answer : resolution;
    }

    long lastWordNanos() {
        return resolution == null ? answeredNanos : resolvedNanos;
    }

    /** Whether its caller was told that it was not carried out, and never will be. */
    boolean isNo() {
        Answer last = lastWord();
        return last != null && last.kind() == Answer.Kind.NO;
    }

    boolean isYes() {
        Answer last = lastWord();
        return last != null && last.kind() == Answer.Kind.YES;
    }

    /** Whether its caller was told that the outcome is unknown, and was told later, if anything, that it began this tenure. */
    boolean isUnknownOr(HeldTenure tenure) {
        Answer last = lastWord();
        return isAnswered(Answer.Kind.UNKNOWN)
                && last != null
                && (last.kind() == Answer.Kind.UNKNOWN || tenure.equals(last.tenure()));
    }

    /** Whether it may be carried out at an instant: it has begun, and its caller has not heard how it ended. */
    boolean isUnderWayAt(long atNanos) {
        boolean known = isYes() || isNo();
        return calledNanos <= atNanos && (!known || lastWordNanos() >= atNanos);
    }

    /** Whether its close, or its caller, cut an acquisition short: what it was granted all the same is released behind it. */
    boolean isCutShort() {
        return kind() == Kind.ACQUIRE && (isAnsweredFor(Answer.ENGINE_CLOSED) || isAnsweredFor(Answer.CANCELLED));
    }

    /** Whether it is of a leader election, which asks again after each failure, and tells its caller of none. */
    boolean isCampaign() {
        return kind() == Kind.ACQUIRE && operation.waitNanos() >= Operation.FOR_EVER_NANOS;
    }

    /** Whether it shows leases, and changes none. */
    boolean isReading() {
        return kind() == Kind.REFRESH || kind() == Kind.LIST;
    }

    /** Whether it may begin a tenure. */
    boolean asksForLease() {
        return kind() == Kind.CLAIM || kind() == Kind.TAKE_OVER || kind() == Kind.ACQUIRE;
    }

    /** For how long a yes guarantees that a tenure lasts; 0 for no time of its own, as where a session keeps it. */
    long termNanos() {
        return !operation.session() && (asksForLease() || kind() == Kind.EXTEND) ? operation.durationNanos() : 0;
    }

    boolean isAbout(@Nullable HeldTenure tenure) {
        return tenure != null && tenure.equals(operation.tenure());
    }

    /** Whether it asks to release a tenure. */
    boolean releases(HeldTenure tenure) {
        return kind() == Kind.RELEASE && isAbout(tenure);
    }

    /** Whether a tenure is one of those that it may have begun: that of its holder, or of one of its own. */
    boolean mayBegin(HeldTenure tenure) {
        return asksForLease() && tenure.lease().equals(operation.lease()) && mayWaitAs(tenure.holder());
    }

    /** Whether a holder is the one that it asks for, or one of its own. */
    boolean mayWaitAs(String asked) {
        String holder = operation.holder();
        return holder == null ? by.mayHaveNamed(asked) : holder.equals(asked);
    }

    /** Within one engine higher ones come first, also of those that ask for a term. */
    int priority() {
        Integer priority = operation.priority();
        return priority == null ? 0 : priority;
    }

    // ---- the handle that it gave ----

    /** When its handle was told that it is lost; NEVER if it was not. */
    long lostNanos() {
        return losses.isEmpty() ? Incarnation.NEVER : losses.get(0).atNanos();
    }

    /** When its handle was closed or lost, whichever came first. */
    long handleEndNanos() {
        return Math.min(closedNanos, lostNanos());
    }

    boolean isOpenHandleAt(long atNanos) {
        return answeredNanos <= atNanos && handleEndNanos() > atNanos;
    }

    /** Its words, for sentences. */
    @Override
    public String toString() {
        return "call " + number + " (" + kind() + (lease() == null ? "" : " " + lease()) + " on " + by + " of "
                + Violations.seconds(calledNanos) + ")";
    }
}
