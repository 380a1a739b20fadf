package dev.leasehold.engine.handle;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.HeldTask;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.RunResult;
import dev.leasehold.engine.commit.Losses;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.meters.Outcome;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.store.LeaseChange;
import dev.leasehold.engine.store.LeaseChanges;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leases that callers of one engine hold or wait for. Safe for many threads; holds no lock. */
public final class Leases implements Losses {

    private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

    /** How long a caller's thread sleeps before it looks again whether it was answered, which the agenda sees to in time. */
    private static final long NAP_NANOS = 60_000_000_000L;

    private final Surroundings around;
    private final Releases releases;
    private final Holdings holdings;
    private final Lines lines;
    private final Lookout lookout;
    private final LeaseWatch watch;
    private final WatchNeed watchNeed;
    private final AtomicLong madeUpNames = new AtomicLong();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final Set<Election> elections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private boolean ending;

    /**
     * Ready to acquire. Starts a thread for the handles, which does no I/O, and one that listens for changes.
     *
     * @param operations the engine below
     * @param runtime the machine
     * @param meters told of losses, hand-overs and acquisitions, most often on the thread of the handles
     * @param callbacks runs code of callers, and refuses none; to be stopped after this was closed, by whoever made it
     * @param changes begins to watch for changes, see {@link dev.leasehold.engine.store.LeaseStore#changes}
     * @param assertions makes the assertion of a tenure
     */
    public Leases(
            HandleSettings settings,
            Operations operations,
            EngineRuntime runtime,
            EngineMeters meters,
            Executor callbacks,
            Supplier<LeaseChanges> changes,
            Function<Tenure, LeaseAssertion> assertions) {
        String threadName = "leasehold-" + settings.namespace();
        Agenda agenda = new Agenda(
                settings.namespace(), runtime.startThread(threadName + "-handles"), operations.clock(), this::tend);
        this.around = new Surroundings(settings, operations, runtime, agenda, meters, callbacks, assertions);
        this.releases = new Releases(around, this::freed);
        this.holdings = new Holdings(around, releases, name -> agenda.post(() -> freed(name)), () -> closed);
        this.lines = new Lines(around, holdings, releases);
        this.lookout = new Lookout(around, lines, holdings);
        this.watch = new LeaseWatch(
                settings.namespace(), runtime, changes, runtime.startThread(threadName + "-watch"), new Told());
        this.watchNeed = new WatchNeed(around, lines, holdings, watch);
        meters.holdings(this::held, this::waiting);
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#tryAcquire(LeaseRequest, Duration)}. */
    public Acquisition tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        Waiter waiter = waiter(request, wait);
        refuseIfInterrupted(waiter);
        waiter.blocks(Thread.currentThread());
        try {
            join(waiter);
            while (!around.runtime().await(waiter.result(), NAP_NANOS)) {
                // The condition does the work.
            }
            return waiter.result().join();
        } catch (InterruptedException e) {
            withdraw(waiter);
            throw e;
        } catch (Error e) {
            abandon(waiter.result(), waiter);
            throw e;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** The answer may be there before the caller waits, who would not notice then. */
    private void refuseIfInterrupted(Waiter waiter) throws InterruptedException {
        if (Thread.interrupted()) {
            around.meters().operation(waiter.request().kind(), waiter.name(), Outcome.INTERRUPTED, null, 0);
            throw new InterruptedException();
        }
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#tryAcquireAsync(LeaseRequest, Duration)}. */
    public CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request, Duration wait) {
        return promise(request, wait, Function.identity(), around.callbacks());
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#acquireAsync(LeaseRequest, Duration)}. */
    public CompletionStage<Lease> acquireAsync(LeaseRequest request, Duration wait) {
        return promise(request, wait, Acquisition::orElseThrow, around.callbacks());
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#acquire(LeaseRequest)}. */
    public Lease acquire(LeaseRequest request) throws InterruptedException {
        while (true) {
            try {
                return tryAcquire(request, Wish.LONGEST).orElseThrow();
            } catch (LeaseOutcomeUnknownException e) {
                LOG.debug("lease '{}': it is asked for again after an unknown outcome", request.name(), e);
            }
        }
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#runWhileHeld(LeaseRequest, Duration, HeldTask)}. */
    public <T extends @Nullable Object, X extends Exception> RunResult<T> runWhileHeld(
            LeaseRequest request, Duration wait, HeldTask<T, X> task) throws InterruptedException, X {
        if (task == null) {
            throw new IllegalArgumentException("task null is refused: it must say what to do while the lease is held");
        }
        Acquisition acquisition = tryAcquire(request, wait);
        if (acquisition instanceof Acquisition.NotAcquired no) {
            return new RunResult.Skipped<>(no.refusal());
        }
        try (Lease lease = acquisition.orElseThrow()) {
            T result = task.run(lease);
            return new RunResult.Ran<>(result, lease.isHeld());
        }
    }

    /** As {@link dev.leasehold.engine.LeaseEngine#elect(LeaseRequest)}. */
    public LeaderElection.Builder elect(LeaseRequest request) {
        if (request == null) {
            throw new IllegalArgumentException("request null is refused: it must say which lease is wanted");
        }
        return new ElectionBuilder((granted, lost) -> startElection(request, granted, lost));
    }

    private LeaderElection startElection(
            LeaseRequest request, Consumer<? super Lease> granted, Consumer<? super LeaseLoss> lost) {
        Wish.of(request, around.settings().operationBudgetNanos(), around.nowNanos());
        if (closed) {
            throw closedException();
        }
        Election election = new Election(request, this, around, granted, lost);
        elections.add(election);
        election.start();
        return election;
    }

    void forget(Election election) {
        elections.remove(election);
    }

    boolean isClosed() {
        return closed;
    }

    /** Acquires without a limit; completes on the executor. */
    CompletableFuture<LeaseHandle> acquire(LeaseRequest request, Executor executor) {
        return promise(request, Wish.LONGEST, acquisition -> (LeaseHandle) acquisition.orElseThrow(), executor);
    }

    /** How many tenures are held. */
    public int held() {
        return holdings.count();
    }

    /** How many acquisitions wait. */
    public int waiting() {
        return lines.count();
    }

    /** How much is remembered of leases: nothing, once nobody holds, waits or gives up. */
    int traces() {
        return holdings.all().size() + lines.size() + releases.size();
    }

    @Override
    public void lost(Tenure tenure, LeaseLoss.Reason reason) {
        around.agenda().post(() -> holdings.lost(tenure, reason));
    }

    @Override
    public void givenUp(Tenure tenure) {
        if (held() > 0) {
            around.agenda().post(() -> holdings.givenUp(tenure));
        }
    }

    /**
     * Ends all waits and all beliefs, tells the holders, and gives up the leases that have a term. Those that the session
     * keeps are given up with the session, after this.
     *
     * @return completes when what was sent is answered and no thread of this is left; on a thread that must not be held up.
     *     It takes as long as the engine below takes, so that one should be closed when the caller's time is over
     */
    public CompletableFuture<Void> close() {
        return close(true);
    }

    /**
     * The same.
     *
     * @param releasing whether the leases that have a term are given up
     */
    public CompletableFuture<Void> close(boolean releasing) {
        return end(LeaseLoss.Reason.CLOSED, null, releasing);
    }

    /** As {@link #close()}, because of an error in one of the engine's threads, which is what the holders are told. */
    public CompletableFuture<Void> fail(Error error) {
        return end(LeaseLoss.Reason.ENGINE_FAILED, error, true);
    }

    private CompletableFuture<Void> end(LeaseLoss.Reason reason, @Nullable Error error, boolean releasing) {
        // In this order: whoever finds a belief ended by this finds the engine closed as well.
        closed = true;
        around.operations().endBeliefs();
        around.agenda().post(() -> endHere(reason, error, releasing));
        return over;
    }

    private void endHere(LeaseLoss.Reason reason, @Nullable Error error, boolean releasing) {
        if (!ending) {
            ending = true;
            lines.close(closedException());
            holdings.closeAll(reason, error, releasing);
            releases.close();
            elections.forEach(Election::engineClosed);
        }
    }

    private LeaseEngineClosedException closedException() {
        return new LeaseEngineClosedException(
                "the engine of namespace '" + around.settings().namespace() + "' is closed", null);
    }

    private <T> CompletableFuture<T> promise(
            LeaseRequest request, Duration wait, Function<Acquisition, T> wanted, Executor executor) {
        Waiter waiter = waiter(request, wait);
        CompletableFuture<T> future = Promise.of(waiter, executor, wanted, () -> withdraw(waiter));
        try {
            join(waiter);
        } catch (Error e) {
            abandon(future, waiter);
            throw e;
        }
        return future;
    }

    private Waiter waiter(LeaseRequest request, Duration wait) {
        long nowNanos = around.nowNanos();
        long budgetNanos = around.settings().operationBudgetNanos();
        Wish wish = Wish.of(request, budgetNanos, nowNanos);
        long waitNanos = Wish.waitNanos(wait);
        String owner = wish.owner();
        String holder = owner != null ? owner : madeUpName(wish.name());
        return new Waiter(wish, holder, nowNanos, waitNanos, budgetNanos);
    }

    private String madeUpName(String lease) {
        return around.operations().writer(lease) + "/" + madeUpNames.incrementAndGet();
    }

    private void join(Waiter waiter) {
        around.agenda().post(() -> {
            if (closed) {
                // It may have been open when the caller looked.
                waiter.result().completeExceptionally(closedException());
            } else {
                takeOn(waiter);
            }
        });
        if (closed) {
            // The thread may have ended its last task before this one was there to be seen.
            waiter.result().completeExceptionally(closedException());
        }
    }

    private void takeOn(Waiter waiter) {
        try {
            lines.join(waiter);
        } catch (RuntimeException e) {
            waiter.result()
                    .completeExceptionally(
                            new LeaseStoreException(waiter.request().describe() + ": unexpected failure", e));
            withdraw(waiter);
            throw e;
        } catch (Error e) {
            // It ends the engine, which may not know of this one.
            waiter.result().completeExceptionally(closedException());
            throw e;
        }
    }

    /** Its caller runs out of stack or memory: first that which needs hardly any, by which nothing stays held. */
    private void abandon(CompletableFuture<?> promised, Waiter waiter) {
        promised.cancel(false);
        withdraw(waiter);
    }

    private void withdraw(Waiter waiter) {
        around.agenda().post(() -> lines.withdraw(waiter));
    }

    private void freed(String name) {
        lines.freed(name);
    }

    /** After every task of the agenda. */
    private void tend() {
        if (ending) {
            if (releases.isEmpty() && lines.isEmpty() && !around.agenda().isOver()) {
                watch.close();
                around.agenda().end();
                over.complete(null);
            }
        } else {
            lookout.tend();
            watchNeed.tend();
        }
    }

    /** Hands what the watch tells to the agenda. */
    private final class Told implements LeaseWatch.Listener {
        @Override
        public void changed(List<LeaseChange> changes) {
            around.agenda().post(() -> changes.forEach(this::changed));
        }

        private void changed(LeaseChange change) {
            if (change instanceof LeaseChange.WriterGone gone) {
                lines.sessionOver(gone.partition());
            } else if (change instanceof LeaseChange.OfLease ofLease) {
                Holding held = holdings.of(ofLease.name());
                if (held != null) {
                    suspect(held, ofLease);
                } else {
                    lines.heardOf(ofLease);
                }
            }
        }

        /** Of a lease that is held here it is most often told what was done here. If it was not, those who wait hear of the loss. */
        private void suspect(Holding held, LeaseChange.OfLease change) {
            if (!change.wasLookedAt()) {
                lookout.suspect(List.of(held));
            } else if (change.showsTheEndOf(held.tenure())) {
                holdings.lose(held, LeaseLoss.Reason.TAKEN_OVER, null);
            }
        }

        @Override
        public void missed() {
            around.agenda().post(() -> {
                lookout.blind(false);
                lines.wakeAll();
                lookout.suspectAll();
            });
        }

        @Override
        public void blind() {
            around.agenda().post(() -> lookout.blind(true));
        }
    }
}
