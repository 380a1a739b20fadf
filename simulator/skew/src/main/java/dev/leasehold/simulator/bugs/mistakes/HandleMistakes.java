package dev.leasehold.simulator.bugs.mistakes;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/** Who gets a handle, what it tells, and when it is over. */
public final class HandleMistakes {

    private HandleMistakes() {}

    /** What is asked is taken to be so. */
    public static boolean yes() {
        return true;
    }

    /** Whatever is asked about is held. */
    public static final class ForEver {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean held) {
            held = true;
        }
    }

    /** Whatever became of the handle, it is as it was at first. */
    public static Object open(@MemberSubstitution.This AtomicReference<?> state) {
        return ((Enum<?>) state.get()).getDeclaringClass().getEnumConstants()[0];
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

    /** Those who came later are in front. */
    public static final class LastFirst {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("waiting") Set<Object> waiting,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object next) {
            for (Object waiter : waiting) {
                next = waiter;
            }
        }
    }

    /** A term is over by itself some time. */
    public static final class OnlySessions {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) Object holding) {
            return hasTerm(holding);
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) CompletableFuture<Void> given) {
            given = given == null ? CompletableFuture.completedFuture(null) : given;
        }
    }

    /** Whether a holding is kept by renewals. */
    public static boolean hasTerm(Object holding) {
        try {
            Method isSessionLease = holding.getClass().getDeclaredMethod("isSessionLease");
            isSessionLease.setAccessible(true);
            return !(boolean) isSessionLease.invoke(holding);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a holding is not what it was", e);
        }
    }

    /** What is told is not listened to. */
    public static final class Deaf {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }
}
