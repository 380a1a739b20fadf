package dev.leasehold.simulator.bugs.mistakes;

import java.util.function.Predicate;
import java.util.stream.Stream;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;

/** Who gets a handle, what it tells, and when it is over. */
public final class HandleMistakes {

    private HandleMistakes() {}

    /** What is asked is taken to be so. */
    public static boolean yes() {
        return true;
    }

    /** Nobody is left out. */
    public static Stream<Object> all(
            @MemberSubstitution.This Stream<Object> all, @MemberSubstitution.Argument(0) Predicate<Object> wanted) {
        return all;
    }

    /** Every wait is over. */
    public static long longAgo() {
        return Long.MIN_VALUE;
    }

    /** What is told is not listened to. */
    public static final class Deaf {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }
}
