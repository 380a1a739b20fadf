package dev.leasehold.simulator.mutants.advice;

import net.bytebuddy.asm.Advice;

/** When the time of another writer is taken to be over. */
public final class Bounds {

    private Bounds() {}

    /** At the bound it is over. */
    public static final class AtTheBound {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) long nowNanos,
                @Advice.Argument(1) long boundNanos,
                @Advice.Return(readOnly = false) boolean passed) {
            passed = nowNanos >= boundNanos;
        }
    }

    /** A look at all writers during which the clock went back by 200 ms counts. */
    public static final class LookWentBack {
        @Advice.OnMethodEnter
        @SuppressWarnings({"UnusedAssignment", "UnusedVariable"})
        static void enter(@Advice.Argument(value = 2, readOnly = false) long readEndedNanos) {
            readEndedNanos -= 200_000_000;
        }
    }

    /** What a read shows counts from its beginning. */
    public static final class BeginOfRead {
        @Advice.OnMethodEnter
        @SuppressWarnings({"UnusedAssignment", "UnusedVariable"})
        static void enter(
                @Advice.Argument(2) long readBeganNanos,
                @Advice.Argument(value = 3, readOnly = false) long readEndedNanos) {
            readEndedNanos = readBeganNanos;
        }
    }
}
