package dev.leasehold.simulator.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that happened at an instant of true time. Events of one instant stand in the order in which they happened. */
public sealed interface Event {

    long atNanos();

    /** To which machine it belongs; -1 for the database, for what befalls everything, and for what names a call instead. */
    default int machine() {
        return -1;
    }

    /**
     * An engine was started.
     *
     * @param atNanos when it was ready
     * @param incarnation counts the engines of that machine, from 0
     * @param localNanos what the engine's own clock shows then, from which its stamps are
     */
    record Started(long atNanos, int machine, int incarnation, long localNanos) implements Event {}

    /**
     * An engine is no more.
     *
     * @param atNanos when it was closed, or was killed
     * @param crashed whether it was killed and not closed
     */
    record Stopped(long atNanos, int machine, int incarnation, boolean crashed) implements Event {}

    /**
     * A call of an engine began.
     *
     * @param call numbers the calls of the history
     */
    record Called(long atNanos, int call, int machine, int incarnation, Operation operation) implements Event {}

    /** A call returned. Calls that were under way when their machine crashed never do. */
    record Answered(long atNanos, int call, Answer answer) implements Event {}

    /** What had become of a call that was answered with "unknown" was found out: the engine's resolution. */
    record Resolved(long atNanos, int call, Answer answer) implements Event {}

    /**
     * The primary carried out a write or the commit of a transaction. It can still be taken back.
     *
     * @param version numbers what the database went through; grows with each write, and falls when writes are rolled back
     */
    record Committed(long atNanos, long version, Author author, List<Change> changes) implements Event {}

    /** A majority has everything up to this version, which is never taken back. */
    record Majority(long atNanos, long version) implements Event {}

    /** The writes after this version are gone. */
    record RolledBack(long atNanos, long toVersion) implements Event {}

    /**
     * An engine says that a tenure is held, when it is asked after something that it did. Between two such events nothing
     * changed but the time.
     *
     * @param untilNanos from when on it would say no, if nothing but the time changes and the machine's wall clock is not set
     */
    record ValidUntil(long atNanos, int machine, int incarnation, HeldTenure tenure, long untilNanos)
            implements Event {}

    /** An engine that said yes before says that a tenure is not held. */
    record ValidityEnded(long atNanos, int machine, int incarnation, HeldTenure tenure) implements Event {}

    /**
     * A handle told its holder that the lease is lost.
     *
     * @param handle the call by which the handle was acquired
     */
    record Lost(long atNanos, int machine, int incarnation, int handle, HeldTenure tenure, String reason)
            implements Event {}

    /** A handle that was closed, or had said that its lease is not held any more, says that it is. */
    record Revived(long atNanos, int machine, int incarnation, HeldTenure tenure) implements Event {}

    /**
     * An engine, or a handle of it, says that a tenure is held and that no time is left of it, or the other way round.
     *
     * @param held what it says of being held
     */
    record Disagreed(long atNanos, int machine, int incarnation, HeldTenure tenure, boolean held) implements Event {}

    /**
     * A message of a machine came to one of its four instants.
     *
     * @param message numbers the messages of the history
     * @param what it asks, in a word or two
     */
    record Message(long atNanos, int machine, int message, Leg leg, String what) implements Event {}

    /** The instants of a message, and what may befall it instead. */
    enum Leg {
        SENT,
        EXECUTED,
        ANSWERED,
        RECEIVED,
        REQUEST_LOST,
        REPLY_LOST,
        GIVEN_UP
    }

    /**
     * A fault befell a machine or the database.
     *
     * @param atNanos when it began
     * @param machine which machine; -1 for the database
     * @param fault its name: that of the action, of the kind of a message's fault, or of a condition of the network, as {@link Faults} lists them
     * @param untilNanos when it ends; the same instant when it has no length
     */
    record Fault(long atNanos, int machine, String fault, long untilNanos) implements Event {}

    /**
     * A state was reached that is worth counting, as {@link Marks} lists them.
     *
     * @param rest of the end of another engine's transaction; null where it is not known
     */
    record Reached(
            long atNanos,
            int machine,
            String mark,
            @Nullable Rest rest) implements Event {

        /** One that has nothing to do with a transaction. */
        public Reached(long atNanos, int machine, String mark) {
            this(atNanos, machine, mark, null);
        }
    }

    /**
     * In which state a transaction was ended.
     *
     * @param nanos for how long nothing had been done in it
     */
    record Rest(String writer, long nanos) {}

    /** From here on there are no faults, and an observer that was there from the beginning tries to get every lease. */
    record Healed(long atNanos) implements Event {}

    /** A bound was broken that keeps the world going, such as that of the steps in a second. The history ends here. */
    record Exceeded(long atNanos, String limit) implements Event {}

    /** Code of the engine failed in a way that it must never do: an error that no caller may see. */
    record Broken(long atNanos, int machine, String failure) implements Event {}

    /** The history is over. */
    record Finished(long atNanos) implements Event {}

    /**
     * What wrote something.
     *
     * @param machine where it runs; -1 for the server itself and for people
     * @param call on behalf of which call, where that is known; -1 otherwise
     * @param asserted the tenure that a caller's transaction asserted in the run that is committed; null if it did not
     * @param meant the tenure that a caller's transaction was to assert; null for engines
     */
    record Author(
            Kind kind,
            int machine,
            int incarnation,
            int call,
            @Nullable HeldTenure asserted,
            @Nullable HeldTenure meant) {

        /** What kind of writer. */
        public enum Kind {
            /** An engine, by a transaction. */
            TRANSACTION,
            /** An engine, by a write of one document. */
            SINGLE_WRITE,
            /** A caller's own transaction. */
            CALLER,
            /** An operator with a shell: the damages, and the storms. */
            HAND
        }
    }
}
