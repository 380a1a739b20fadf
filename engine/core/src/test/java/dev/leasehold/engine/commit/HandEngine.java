package dev.leasehold.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.byhand.HandClock;
import dev.leasehold.engine.byhand.HandRuntime;
import dev.leasehold.engine.byhand.ScriptedStore;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.time.Drift;
import dev.leasehold.engine.time.StampClock;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;

/** The commit path of one engine with nothing real around it. Its clock starts at Z, its first writer is {@code a#1}. */
final class HandEngine {

    static final String NAMESPACE = "billing";
    static final long SECOND = 1_000_000_000;
    static final long HOUR = 3600 * SECOND;
    static final long BUDGET = 10 * SECOND;
    static final long SESSION = 30 * SECOND;

    /** So many leases are never written at once here, so that no round waits for more. */
    private static final int MANY = 10_000;

    static final EngineSettings SETTINGS = settings(NAMESPACE, "a", HOUR);

    static EngineSettings settings(String namespace, String instance, long retentionNanos) {
        return settings(namespace, instance, retentionNanos, MANY);
    }

    private static EngineSettings settings(
            String namespace, String instance, long retentionNanos, int singleWritesMax) {
        return new EngineSettings(
                namespace,
                1,
                instance,
                new Drift(0),
                BUDGET,
                BUDGET,
                retentionNanos,
                SESSION,
                SESSION / 3,
                singleWritesMax);
    }

    final HandClock clock = new HandClock(HandClock.Z);
    final HandRuntime runtime = new HandRuntime(clock);
    final ScriptedStore store = new ScriptedStore();
    final CommitPath path;

    HandEngine() {
        this(EngineMeters.NONE);
    }

    HandEngine(EngineMeters meters) {
        this(meters, SETTINGS);
    }

    /** One that writes so many leases at once each for itself, and more in a transaction. */
    static HandEngine withSingleWrites(int most) {
        return new HandEngine(EngineMeters.NONE, settings(NAMESPACE, "a", HOUR, most));
    }

    private HandEngine(EngineMeters meters, EngineSettings settings) {
        path = new CommitPath(settings, store, runtime, runtime.startThread("by hand"), new StampClock(clock), meters);
    }

    long nowNanos() {
        return path.clock().nowNanos();
    }

    PendingOperation submit(Request request) {
        PendingOperation operation = new PendingOperation(NAMESPACE, request, nowNanos() + BUDGET);
        path.groupCommit().submit(operation);
        return operation;
    }

    PendingOperation submitClaim(String name, String holder) {
        return submit(new Request.Claim(name, holder, 60 * SECOND, null));
    }

    PendingOperation submitClaim(String name) {
        return submitClaim(name, "h");
    }

    /** Runs until it is answered. */
    Tenure claims(String name, String holder) {
        PendingOperation claim = submitClaim(name, holder);
        runtime.runDue();
        return granted(claim);
    }

    static Tenure granted(PendingOperation operation) {
        Reply reply = operation.answer().getNow(null);
        assertThat(reply).as("answer of " + operation.request().describe()).isNotNull();
        assertThat(reply.refusal()).isNull();
        return Objects.requireNonNull(reply.tenure());
    }

    static Refusal refused(PendingOperation operation) {
        Reply reply = operation.answer().getNow(null);
        assertThat(reply).as("answer of " + operation.request().describe()).isNotNull();
        return Objects.requireNonNull(reply.refusal());
    }

    static Throwable failure(PendingOperation operation) {
        assertThat(operation.answer()).isCompletedExceptionally();
        return catchThrowable(operation.answer()::join).getCause();
    }

    /** A document as another engine would leave it. */
    static LeaseDocument byOther(String name, String holder, long token, long writtenNanos) {
        Long expiryNanos = holder == null ? null : writtenNanos + 60 * SECOND;
        return new LeaseDocument(
                NAMESPACE, name, holder, token, "b#1", writtenNanos, expiryNanos, 0, null, Instant.EPOCH, Set.of());
    }
}
