package dev.leasehold.engine.client;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.Look;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.handle.Operations;
import dev.leasehold.engine.time.StampClock;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The commit path as handles see it. */
final class EngineOperations implements Operations {

    private final CommitPath path;

    EngineOperations(CommitPath path) {
        this.path = path;
    }

    @Override
    public StampClock clock() {
        return path.clock();
    }

    @Override
    public String writer() {
        return path.writer();
    }

    @Override
    public void submit(PendingOperation operation) {
        path.groupCommit().submit(operation);
    }

    @Override
    public CompletableFuture<Look> look(Set<String> names, long deadlineNanos) {
        return path.reads().look(names, deadlineNanos);
    }

    @Override
    public long remainingNanos(Tenure tenure) {
        return path.beliefs().remainingNanos(tenure);
    }

    @Override
    public long cutShortByWallNanos(Tenure tenure) {
        return path.beliefs().cutShortByWallNanos(tenure);
    }

    @Override
    public void giveUp(Tenure tenure) {
        path.beliefs().giveUp(tenure);
    }

    @Override
    public void forget(Tenure tenure) {
        path.beliefs().forget(tenure);
    }

    @Override
    public @Nullable Throwable renewalTrouble() {
        return path.renewalTrouble();
    }
}
