package dev.leasehold.engine;

import dev.leasehold.assertions.Tenure;
import java.io.Serializable;

/**
 * A no: the operation changed nothing and never will.
 *
 * <p>It rests on a read that began after the call did, never on what the engine remembered.
 *
 * @param operation what was asked, in words
 * @param reason why not
 * @param state the lease as the database had it during the call
 * @serial exclude
 */
public record Refusal(String operation, Reason reason, LeaseState state) implements LeaseResult, Serializable {

    /** Why an operation was refused. */
    public enum Reason {
        /** There is no document of that name. */
        NO_SUCH_LEASE("there is no such lease"),
        /** It is vacant. */
        VACANT("no process holds it"),
        /** It is held and may not be taken. */
        HELD("it is held"),
        /** It is held, but past its expiry: a take-over may end that tenure, a claim never does. */
        HELD_PAST_EXPIRY("it is held past its expiry, and only a take-over or expire ends that"),
        /** It is held, but not under the tenure that was named. */
        NOT_THAT_TENURE("it is not held under that tenure"),
        /** It is not certain yet that its last writer's clock has passed the expiry. */
        NOT_EXPIRED("it has not certainly expired yet"),
        /** It is kept by an engine's session: it has no term to extend, and only that engine can release it. */
        SESSION_LEASE("it is kept by a session: it has no term to extend, and only its own engine can release it"),
        /** It is pinned: no process may take it until every pin is gone. */
        PINNED("it is pinned"),
        /** It is vacant, maybe pinned, and kept free for a time that is not certainly over: see {@link LeaseRequest#atLeast}. */
        NOT_YET("it is kept free for some time yet");

        private final String words;

        Reason(String words) {
            this.words = words;
        }
    }

    @Override
    public boolean isGranted() {
        return false;
    }

    @Override
    public Tenure orElseThrow() {
        throw new LeaseRefusedException(this);
    }

    /** {@return one sentence for people: what was asked, why not, and how the lease stands} */
    public String message() {
        return operation + " refused: " + reason.words + "; " + state.describe();
    }
}
