package dev.leasehold.simulator.mutants.advice;

import net.bytebuddy.asm.Advice;

/** What an engine takes for granted about grants, and about the queue that it has read. */
public final class Hearing {

    private Hearing() {}

    /** It is so, whatever was known. */
    public static final class Always {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean isSo) {
            isSo = true;
        }
    }
}
