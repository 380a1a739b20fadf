package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.StoredLease;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;

/** How hard the engine tries. */
public final class EffortMistakes {

    private static final int TRIES = 2;
    private static final int ALL = 1_000;

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

    /** Whoever has failed so often is out of time. */
    public static final class FewTries {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("failures") int failures, @Advice.Return(readOnly = false) long deadlineNanos) {
            deadlineNanos = failures >= TRIES ? Long.MIN_VALUE / 2 : deadlineNanos;
        }
    }

    /** All wait for equally long. */
    public static final class WholeWindow {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) long windowNanos, @Advice.Return(readOnly = false) long waitNanos) {
            waitNanos = windowNanos;
        }
    }

    /** Every read looks at all leases, and none of them may be damaged. */
    public static Snapshot allSound(
            @MemberSubstitution.This LeaseStore store,
            @MemberSubstitution.Argument(0) Set<String> names,
            @MemberSubstitution.Argument(1) String writer) {
        for (StoredLease lease : store.page(null, ALL, writer).snapshot().leases()) {
            if (lease instanceof StoredLease.Corrupt corrupt) {
                throw new CorruptDocumentException(corrupt.documentId(), corrupt.field(), corrupt.found());
            }
        }
        return store.read(names, writer);
    }
}
