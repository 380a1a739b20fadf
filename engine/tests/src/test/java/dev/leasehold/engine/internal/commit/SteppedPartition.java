package dev.leasehold.engine.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.partition.PartitionEngine;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;

/** The commit path of one engine, run step by step on the simulated database. Its clock starts at Z, its first writer is {@code a#1}. */
public final class SteppedPartition {

    public static final String NAMESPACE = "billing";
    public static final long SECOND = 1_000_000_000;
    public static final long HOUR = 3600 * SECOND;
    static final long BUDGET = 10 * SECOND;
    public static final long SESSION = 30 * SECOND;

    /** So many leases are never written at once here, so that no round waits for more. */
    private static final int MANY = 10_000;

    static final Partition PARTITION = Partition.whole(NAMESPACE);
    static final EngineSettings SETTINGS = settings("a", HOUR);

    static EngineSettings settings(String instance, long retentionNanos) {
        return settings(instance, retentionNanos, MANY);
    }

    private static EngineSettings settings(String instance, long retentionNanos, int singleWritesMax) {
        return new EngineSettings(
                NAMESPACE,
                1,
                instance,
                new Drift(0),
                BUDGET,
                BUDGET,
                retentionNanos,
                retentionNanos,
                SESSION,
                SESSION / 3,
                singleWritesMax,
                EngineSettings.WAIT_QUEUE);
    }

    public final TestClock clock = new TestClock(TestClock.Z);
    public final SteppedRuntime runtime = new SteppedRuntime(clock);
    public final ScriptedStore store = new ScriptedStore();
    public final PartitionEngine partition;

    public SteppedPartition() {
        this(EngineMetrics.NONE);
    }

    SteppedPartition(EngineMetrics metrics) {
        this(metrics, SETTINGS);
    }

    /** One that writes so many leases at once each for itself, and more in a transaction. */
    static SteppedPartition withSingleWrites(int most) {
        return new SteppedPartition(EngineMetrics.NONE, settings("a", HOUR, most));
    }

    public SteppedPartition(EngineMetrics metrics, EngineSettings settings) {
        partition = new PartitionEngine(
                settings, PARTITION, store, runtime, runtime.startThread("by hand"), new StampClock(clock), metrics);
    }

    public long nowNanos() {
        return partition.clock().nowNanos();
    }

    /** Others judge by its heartbeats for so long from now. */
    public void hastenFor(long nanos) {
        partition.hasten(nowNanos() + nanos);
    }

    public PendingOperation submit(Request request) {
        PendingOperation operation = new PendingOperation(NAMESPACE, request, nowNanos() + BUDGET);
        partition.commitLoop().submit(operation);
        return operation;
    }

    /** Submits it, and lets everything happen that happens at once. */
    public PendingOperation submitAndRun(Request request) {
        PendingOperation operation = submit(request);
        runtime.runDue();
        return operation;
    }

    public PendingOperation submitClaimAndRun(String name) {
        return submitAndRun(new Request.Claim(name, "h", 60 * SECOND, null));
    }

    PendingOperation submitClaim(String name, String holder) {
        return submit(new Request.Claim(name, holder, 60 * SECOND, null));
    }

    public PendingOperation submitClaim(String name) {
        return submitClaim(name, "h");
    }

    /** Runs until it is answered. */
    public Tenure claims(String name, String holder) {
        PendingOperation claim = submitClaim(name, holder);
        runtime.runDue();
        return granted(claim);
    }

    public static Tenure granted(PendingOperation operation) {
        OperationResult result = operation.answer().getNow(null);
        assertThat(result).as("answer of " + operation.request().describe()).isNotNull();
        assertThat(result.refusal()).isNull();
        return Objects.requireNonNull(result.tenure());
    }

    public static Refusal refused(PendingOperation operation) {
        OperationResult result = operation.answer().getNow(null);
        assertThat(result).as("answer of " + operation.request().describe()).isNotNull();
        return Objects.requireNonNull(result.refusal());
    }

    public static Throwable failure(PendingOperation operation) {
        assertThat(operation.answer()).isCompletedExceptionally();
        return catchThrowable(operation.answer()::join).getCause();
    }

    /** A document as another engine would leave it. */
    public static LeaseDocument byOther(String name, String holder, long token, long writtenNanos) {
        return byOther(
                NAMESPACE, name, holder, token, writtenNanos, holder == null ? null : writtenNanos + 60 * SECOND);
    }

    /** One that the session of another engine keeps, or left vacant. */
    static LeaseDocument bySessionOfOther(String name, String holder, long token, long writtenNanos) {
        return bySessionOfOther(NAMESPACE, name, holder, token, writtenNanos);
    }

    /** The same in another namespace. */
    public static LeaseDocument bySessionOfOther(
            String namespace, String name, String holder, long token, long writtenNanos) {
        return byOther(namespace, name, holder, token, writtenNanos, null);
    }

    private static LeaseDocument byOther(
            String namespace, String name, String holder, long token, long writtenNanos, Long expiryNanos) {
        return new LeaseDocument(
                namespace,
                name,
                holder,
                token,
                "b#1",
                writtenNanos,
                expiryNanos,
                0,
                null,
                Instant.EPOCH,
                Set.of(),
                0,
                null);
    }
}
