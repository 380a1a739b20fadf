package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import org.jspecify.annotations.Nullable;

/** A call of an engine, and what its caller was told. */
final class Call {

    private final Event.Called event;
    private final Life life;
    private @Nullable Answer answer;
    private long answeredNanos = Long.MAX_VALUE;
    private @Nullable Answer resolution;
    private long resolvedNanos = Long.MAX_VALUE;

    Call(Event.Called event, Life life) {
        this.event = event;
        this.life = life;
    }

    Life life() {
        return life;
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

    Operation.Kind kind() {
        return event.operation().kind();
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

    /** When it returned; MAX_VALUE if it never did. */
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

    /** Whether its caller was told that it was not done, and never will be. */
    boolean isNo() {
        Answer last = lastWord();
        return last != null && last.kind() == Answer.Kind.NO;
    }

    /** Whether it may be carried out yet, as far as is known so far. */
    boolean isOpen() {
        Answer last = lastWord();
        return last == null || last.kind() == Answer.Kind.UNKNOWN;
    }

    /** An acquisition that its engine's close, or its caller, cut short: what had been sent for it lands, and is given up after that. */
    boolean isCutShort() {
        Answer last = lastWord();
        return kind() == Operation.Kind.ACQUIRE
                && last != null
                && (Answer.ENGINE_CLOSED.equals(last.reason()) || Answer.CANCELLED.equals(last.reason()));
    }

    /** Whether it was cut short, and its owner's tenure may have been gone on with for it all the same, which is then left to its term. */
    boolean mayHaveGoneOnUntold(HeldTenure tenure) {
        return isCutShort() && tenure.holder().equals(operation().holder());
    }

    /** Whether it may begin a tenure. */
    boolean asksForALease() {
        return switch (kind()) {
            case CLAIM, TAKE_OVER, ACQUIRE -> true;
            default -> false;
        };
    }

    /** Whether a yes promises that a tenure lasts for a time of its own, which no session keeps. */
    boolean asksForATerm() {
        return !operation().session() && (asksForALease() || kind() == Operation.Kind.EXTEND);
    }

    /** Its words, for sentences. */
    @Override
    public String toString() {
        return "call " + event.call() + " (" + kind()
                + (event.operation().lease() == null
                        ? ""
                        : " " + event.operation().lease()) + " on " + life + ")";
    }
}
