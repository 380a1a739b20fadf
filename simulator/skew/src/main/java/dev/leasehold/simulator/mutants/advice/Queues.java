package dev.leasehold.simulator.mutants.advice;

import net.bytebuddy.asm.Advice;

/** What an engine does with the tickets of a lease. */
public final class Queues {

    private Queues() {}

    /** A lease that shows a ticket of this engine counts as heard of, even if no acquisition waits with that ticket. */
    public static final class AlwaysHeard {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean heard) {
            heard = true;
        }
    }
}
