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

    private final Event.Called event;
    private final Incarnation by;
    private @Nullable Answer answer;
    private long answeredNanos = Incarnation.NEVER;
    private @Nullable Answer resolution;
    private long resolvedNanos = Incarnation.NEVER;
    private long closedNanos = Incarnation.NEVER;
    private final List<Event.Lost> losses = new ArrayList<>(1);

    Call(Event.Called event, Incarnation by) {
        this.event = event;
        this.by = by;
    }

    Incarnation by() {
        return by;
    }

    long calledNanos() {
        return event.atNanos();
    }

    int number() {
        return event.call();
    }

    Operation operation() {
        return event.operation();
    }

    Kind kind() {
        return event.operation().kind();
    }

    /** About which lease; null for all. */
    @Nullable String lease() {
        Operation operation = operation();
        return operation.lease() != null || operation.tenure() == null
                ? operation.lease()
                : operation.tenure().lease();
    }

    void answered(Event.Answered answered) {
        answer = answered.answer();
        answeredNanos = answered.atNanos();
    }

    void resolved(Event.Resolved resolved) {
        resolution = resolved.answer();
        resolvedNanos = resolved.atNanos();
    }

    /** What its caller was told at first; null if it never was. */
    @Nullable Answer answer() {
        return answer;
    }

    /** When it returned; NEVER if it never did. */
    long answeredNanos() {
        return answeredNanos;
    }

    /** What its caller was told in the end; null for nothing. */
    @Nullable Answer lastWord() {
        return resolution == null ? answer : resolution;
    }

    long lastWordNanos() {
        return resolution == null ? answeredNanos : resolvedNanos;
    }

    boolean isAnswered(Answer.Kind kind) {
        return answer != null && answer.kind() == kind;
    }

    boolean isAnsweredFor(String reason) {
        return answer != null && reason.equals(answer.reason());
    }

    private boolean isLastly(Answer.Kind kind) {
        Answer last = lastWord();
        return last != null && last.kind() == kind;
    }

    /** Whether its caller was told that it was not carried out, and never will be. */
    boolean isNo() {
        return isLastly(Answer.Kind.NO);
    }

    boolean isYes() {
        return isLastly(Answer.Kind.YES);
    }

    /** Whether it may be carried out at an instant: it has begun, and its caller has not heard how it ended. */
    boolean isUnderWayAt(long atNanos) {
        boolean known = isYes() || isNo();
        return calledNanos() <= atNanos && (!known || lastWordNanos() >= atNanos);
    }

    /** Whether its close, or its caller, cut an acquisition short: what it was granted all the same is released behind it. */
    boolean isCutShort() {
        return kind() == Kind.ACQUIRE && (isAnsweredFor(Answer.ENGINE_CLOSED) || isAnsweredFor(Answer.CANCELLED));
    }

    /** Whether it is of a leader election, which asks again after each failure, and tells its caller of none. */
    boolean isCampaign() {
        return operation().waitNanos() >= Operation.FOR_EVER_NANOS;
    }

    /** Whether it may begin a tenure. */
    boolean asksForLease() {
        return switch (kind()) {
            case CLAIM, TAKE_OVER, ACQUIRE -> true;
            default -> false;
        };
    }

    /** Whether a yes promises that a tenure lasts for a time of its own, which no session keeps. */
    boolean asksForTerm() {
        return !operation().session() && (asksForLease() || kind() == Kind.EXTEND);
    }

    boolean isAbout(HeldTenure tenure) {
        return tenure.equals(operation().tenure());
    }

    /** Whether a tenure is one of those that it may have begun: that of its holder, or of one of its own. */
    boolean mayBegin(HeldTenure tenure) {
        String holder = operation().holder();
        return asksForLease()
                && tenure.lease().equals(operation().lease())
                && (holder == null ? by.isWriter(tenure.holder()) : holder.equals(tenure.holder()));
    }

    // ---- the handle that it gave ----

    void closed(long atNanos) {
        closedNanos = Math.min(closedNanos, atNanos);
    }

    /** When its handle began to be closed; NEVER if that never was. */
    long closedNanos() {
        return closedNanos;
    }

    void lost(Event.Lost event) {
        losses.add(event);
    }

    /** The times that its handle told of its loss. */
    List<Event.Lost> losses() {
        return losses;
    }

    /** When its handle was told that it is lost; NEVER if it was not. */
    long lostNanos() {
        return losses.isEmpty() ? Incarnation.NEVER : losses.get(0).atNanos();
    }

    boolean isOpenHandleAt(long atNanos) {
        return answeredNanos <= atNanos && Math.min(closedNanos, lostNanos()) > atNanos;
    }

    /** Its words, for sentences. */
    @Override
    public String toString() {
        return "call " + number() + " (" + kind() + (lease() == null ? "" : " " + lease()) + " on " + by + ")";
    }
}
