package dev.leasehold.simulator.conditions;

/**
 * What befalls one message of a machine, apart from the weather.
 *
 * @param afterMessages how many messages of that machine are left alone before
 * @param delayNanos where the kind has to do with a delay, how long it is
 */
public record MessageFault(Kind kind, int afterMessages, long delayNanos) {

    /** What can happen. */
    public enum Kind {
        /** The request never arrives. */
        LOSE_REQUEST(false),
        /** The request is carried out, and the reply never arrives. */
        LOSE_REPLY(false),
        /** The request arrives later. */
        DELAY_REQUEST(true),
        /** The reply arrives later. */
        DELAY_REPLY(true),
        /** The request arrives a second time, later. */
        REPEAT(true),
        /** The server does the first statement of a command without a transaction, and is interrupted before the next. */
        CUT_SHORT(false),
        /** The server answers with a passing error and does nothing. */
        REFUSE(false),
        /** The server does it, and answers with a passing error. */
        DO_AND_FAIL(false),
        /** The machine crashes when the request is on its way. */
        CRASH_WHEN_SENT(true),
        /** The machine crashes when the request was carried out. */
        CRASH_WHEN_DONE(true),
        /** The machine stops for the delay when the request is on its way. */
        PAUSE_WHEN_SENT(true),
        /** The machine stops for the delay when the request was carried out. */
        PAUSE_WHEN_DONE(true);

        private final boolean delay;

        Kind(boolean delay) {
            this.delay = delay;
        }

        /** Whether it has to do with a delay. */
        public boolean hasDelay() {
            return delay;
        }

        public boolean isCrash() {
            return this == CRASH_WHEN_SENT || this == CRASH_WHEN_DONE;
        }

        /** Whether it befalls the machine only when the request was carried out. */
        public boolean comesWhenDone() {
            return this == CRASH_WHEN_DONE || this == PAUSE_WHEN_DONE;
        }
    }
}
