package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.StoredLease;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import org.jspecify.annotations.Nullable;

/** How hard the engine tries. */
public final class EffortMistakes {

    private static final int TRIES = 2;
    private static final long PAUSE_NANOS = 50_000_000;
    /** Read where the mistake is planted. */
    public static final long HASTY_NANOS = 10_000_000;

    private static final long NEVER_NANOS = Long.MAX_VALUE;

    /** The first damaged lease that each engine, by its store, has seen. */
    private static final Map<LeaseStore, StoredLease.Corrupt> DAMAGED = new WeakHashMap<>();

    private EffortMistakes() {}

    /** What has failed is not handed in again. */
    public static void unlessItFailed(
            @MemberSubstitution.This EngineThread thread,
            @MemberSubstitution.Argument(0) long delayNanos,
            @MemberSubstitution.Argument(1) Runnable task,
            @MemberSubstitution.FieldValue("failures") int failures) {
        if (failures == 0) {
            thread.executeAfter(delayNanos, task);
        }
    }

    /** After the second failure the next try is never due. */
    public static long onlyTwice(@MemberSubstitution.Argument(0) int failures) {
        return failures < TRIES ? PAUSE_NANOS : NEVER_NANOS;
    }

    /** Whoever is to be evicted is silent, whatever time its entry shows. */
    public static boolean isNamed(@MemberSubstitution.Argument(0) @Nullable Object seenNanos) {
        return seenNanos != null;
    }

    /** Whatever has failed once has no time left. */
    public static long overIfItFailed(@MemberSubstitution.This PendingOperation operation) {
        return operation.outOfTime().getCause() == null ? operation.deadlineNanos() : Long.MIN_VALUE;
    }

    /** The time of a call is counted twice. */
    public static final class TwiceTheBudget {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("budgetNanos") long budgetNanos,
                @Advice.Return(readOnly = false) long deadlineNanos) {
            deadlineNanos += budgetNanos;
        }
    }

    /** Ten milliseconds after the last one. */
    public static final class DueAtOnce {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(value = 0, readOnly = false) long acknowledgedNanos,
                @Advice.FieldValue("periodNanos") long periodNanos) {
            acknowledgedNanos -= Math.max(0, periodNanos - HASTY_NANOS);
        }
    }

    /** Who was not heard of for a little while is gone. */
    public static final class SoonSilent {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long silenceNanos) {
            silenceNanos /= 1_000;
        }
    }

    /** Only one operation at a time can be carried out. */
    public static final class NotTogether {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) List<?> batch) {
            if (batch.size() > 1) {
                throw new IllegalStateException("there are " + batch.size());
            }
        }
    }

    /** What the watch does not tell cannot be looked for. */
    public static final class NotWhenBlind {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("blind") boolean blind) {
            if (blind) {
                throw new IllegalStateException("nothing is seen");
            }
        }
    }

    /** There is no pause between two tries. */
    public static final class NoPause {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long waitNanos) {
            waitNanos = 0;
        }
    }

    /** Once a damaged lease was found nothing is read any more. */
    public static Snapshot allOrNothing(
            @MemberSubstitution.This LeaseStore store,
            @MemberSubstitution.Argument(0) Set<String> names,
            @MemberSubstitution.Argument(1) String writer) {
        Snapshot snapshot = store.read(names, writer);
        for (StoredLease lease : snapshot.leases()) {
            if (lease instanceof StoredLease.Corrupt corrupt) {
                DAMAGED.putIfAbsent(store, corrupt);
            }
        }
        StoredLease.Corrupt found = DAMAGED.get(store);
        if (found != null) {
            throw new CorruptDocumentException(found.documentId(), found.field(), found.found());
        }
        return snapshot;
    }
}
