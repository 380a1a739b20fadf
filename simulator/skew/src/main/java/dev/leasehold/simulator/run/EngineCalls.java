package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Components;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What services and operators ask of an engine, on a thread of the service's process. */
final class EngineCalls {

    private final SimulationRun run;
    private final Service service;

    EngineCalls(SimulationRun run, Service service) {
        this.run = run;
        this.service = service;
    }

    /** What is called for each kind of action. */
    Handlers<Action> handlers() {
        GatedTransactions gates = new GatedTransactions(run, service);
        return new Handlers<Action>()
                .on(Action.Claim.class, it -> grant(Kind.CLAIM, it.lease(), it.holder(), it.durationNanos()))
                .on(Action.TakeOver.class, it -> grant(Kind.TAKE_OVER, it.lease(), it.holder(), it.durationNanos()))
                .on(Action.Extend.class, it -> extend(run.tenures().chosen(it.tenure()), it.durationNanos()))
                .on(Action.Release.class, it -> release(run.tenures().chosen(it.tenure())))
                .on(Action.Expire.class, it -> expire(it.lease()))
                .on(Action.Refresh.class, it -> refresh())
                .on(Action.ListAll.class, it -> list())
                .on(Action.Housekeeping.class, it -> housekeeping())
                .on(Action.Acquire.class, this::acquire)
                .on(Action.StepDownTo.class, it -> service.stepDown(GrantedTenures.lease(it.lease()), it.to()))
                .on(Action.ForceExpire.class, it -> forceExpire(it.lease()))
                .on(Action.Pin.class, it -> pin(Kind.PIN, it.lease(), it.entity()))
                .on(Action.Unpin.class, it -> pin(Kind.UNPIN, it.lease(), it.entity()))
                .on(Action.Restart.class, it -> restart())
                .on(Action.CloneWriter.class, this::cloneWriter)
                .on(Action.Gate.class, it -> gates.run(it, run.tenures().chosen(it.tenure())))
                .on(Action.RunOnce.class, it -> runOnce(it, gates))
                .on(Action.Aim.class, new BoundaryProbe(run, service, this, gates)::aim);
    }

    // ---- tenures ----

    /** A claim or a take-over. */
    void grant(Kind kind, int lease, int holder, long durationNanos) {
        String name = GrantedTenures.lease(lease);
        String holderName = GrantedTenures.holder(holder);
        Duration term = Duration.ofNanos(durationNanos);
        service.call(operation(kind, name, holderName, null, durationNanos), call -> {
            LeaseResult result = kind == Kind.CLAIM
                    ? service.tenures().claim(name, holderName, term)
                    : service.tenures().takeOver(name, holderName, term);
            if (result.isGranted()) {
                service.granted(result.orElseThrow());
            }
            return Answers.of(result, service::trueTimeOf);
        });
    }

    void extend(@Nullable Tenure tenure, long durationNanos) {
        if (tenure != null) {
            service.call(about(Kind.EXTEND, tenure, durationNanos), call -> {
                LeaseResult result = service.tenures().extend(tenure, Duration.ofNanos(durationNanos));
                if (result.isGranted()) {
                    service.granted(tenure);
                }
                return Answers.of(result, service::trueTimeOf);
            });
        }
    }

    private void release(@Nullable Tenure tenure) {
        if (tenure != null) {
            service.call(
                    about(Kind.RELEASE, tenure, 0),
                    call -> Answers.of(service.tenures().release(tenure), service::trueTimeOf));
        }
    }

    void expire(int lease) {
        String name = GrantedTenures.lease(lease);
        service.call(
                operation(Kind.EXPIRE, name, null, null, 0),
                call -> Answers.of(service.tenures().expire(name), service::trueTimeOf));
    }

    // ---- handles ----

    void acquire(Action.Acquire acquire) {
        if (acquire.campaigns()) {
            new ElectionCandidate(run, service, this, operation(acquire)).run(acquire);
            return;
        }
        hold(acquire, lease -> service.pause(acquire.keepNanos()));
    }

    /**
     * What the engine's {@code runOnce} does, a step at a time, so that each has its place in the history: looks, acquires, works in a
     * transaction, closes.
     */
    private void runOnce(Action.RunOnce job, GatedTransactions gates) {
        String name = GrantedTenures.lease(job.lease());
        String occurrence = GrantedTenures.occurrence(job.occurrence());
        Operation look =
                Components.with(operation(Kind.FIND_OCCURRENCE, name, null, null, 0), "occurrence", occurrence);
        Answer found = service.call(
                look,
                call -> service.engine().findOccurrence(name, occurrence).isPresent()
                        ? Answers.DONE
                        : Answers.no(Answer.NOT_DONE));
        if (Answer.NOT_DONE.equals(found.reason())) {
            hold(
                    new Action.Acquire(job.lease(), job.holder(), job.termNanos(), job.waitNanos(), 0),
                    lease -> gates.once(lease, job));
        }
    }

    /** Acquires it, and closes it when the work is done. */
    private void hold(Action.Acquire acquire, Consumer<Lease> work) {
        List<Runnable> ending = new ArrayList<>();
        service.call(operation(acquire), call -> {
            Acquisition acquisition = acquisition(acquire);
            if (acquisition == null) {
                return Answers.no(Answer.CANCELLED);
            }
            acquisition.asOptional().ifPresent(lease -> {
                service.acquired(lease, call);
                service.knowsStripes(service.tenures().assertion(lease.tenure()));
                ending.add(() -> work.accept(lease));
                ending.add(() -> close(lease, call));
            });
            return Answers.of(acquisition, service::trueTimeOf);
        });
        ending.forEach(Runnable::run);
    }

    /** Null if it was cancelled. */
    private @Nullable Acquisition acquisition(Action.Acquire acquire) throws InterruptedException {
        Duration wait = Duration.ofNanos(acquire.waitNanos());
        if (acquire.cancelNanos() == null) {
            return service.engine().tryAcquire(request(acquire).waitAtMost(wait));
        }
        CompletableFuture<Acquisition> acquisition = service.engine()
                .tryAcquireAsync(request(acquire).waitAtMost(wait))
                .toCompletableFuture();
        service.process().await(acquisition, acquire.cancelNanos());
        acquisition.cancel(false);
        return acquisition.isCancelled() ? null : joined(acquisition);
    }

    /** The result of what is complete, or what it has failed with. */
    static <T> T joined(CompletableFuture<T> complete) {
        try {
            return complete.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    static LeaseRequest request(Action.Acquire acquire) {
        LeaseRequest request =
                LeaseRequest.of(GrantedTenures.lease(acquire.lease())).supersede(acquire.supersedes());
        if (acquire.holder() != null) {
            request = request.holder(GrantedTenures.holder(acquire.holder()));
        }
        if (acquire.stripes() != null) {
            request = request.gateStripes(acquire.stripes());
        }
        if (acquire.atLeastNanos() != null) {
            request = request.atLeast(Duration.ofNanos(acquire.atLeastNanos()));
        }
        if (acquire.priority() != null) {
            request = request.priority(acquire.priority());
        }
        return acquire.termNanos() == null ? request : request.term(Duration.ofNanos(acquire.termNanos()));
    }

    private void close(Lease lease, int acquiredBy) {
        closeHandle(lease.tenure(), acquiredBy, lease::close);
        service.forget(lease);
    }

    /** Closes what was acquired by that call. */
    void closeHandle(Tenure tenure, int acquiredBy, Runnable close) {
        service.call(Components.with(about(Kind.CLOSE_HANDLE, tenure, 0), "handle", acquiredBy), call -> {
            close.run();
            return Answers.DONE;
        });
    }

    /** The begin of a close of what was acquired by a call, which no caller waits for and no budget ends; its number. */
    int beginClosing(Tenure tenure, int acquiredBy) {
        Operation close = Components.with(about(Kind.CLOSE_HANDLE, tenure, 0), "handle", acquiredBy);
        return run.calls().begin(service, Components.with(close, "waitNanos", Operation.FOR_EVER_NANOS));
    }

    /** Asks an election to step down from a tenure for an instance. */
    void stepDown(Tenure tenure, String instance, BooleanSupplier stepDown) {
        service.call(
                operation(Kind.STEP_DOWN, tenure.name(), instance, tenure, 0),
                call -> stepDown.getAsBoolean() ? Answers.DONE : Answers.no("NOT_GRANTED"));
    }

    // ---- reads, housekeeping, operators ----

    private void refresh() {
        List<String> all = IntStream.range(0, run.setting().leases())
                .mapToObj(GrantedTenures::lease)
                .toList();
        service.call(
                operation(Kind.REFRESH, null, null, null, 0),
                call -> Answers.of(service.engine().refresh(all), service::trueTimeOf));
    }

    private void list() {
        service.call(
                operation(Kind.LIST, null, null, null, 0),
                call -> Answers.of(service.engine().leases(), service::trueTimeOf));
    }

    private void housekeeping() {
        service.call(operation(Kind.HOUSEKEEPING, null, null, null, 0), call -> {
            service.engine().housekeeping();
            return Answers.DONE;
        });
    }

    private void forceExpire(int lease) {
        String name = GrantedTenures.lease(lease);
        service.call(
                operation(Kind.FORCE_EXPIRE, name, null, null, 0),
                call -> Answers.of(service.engine().admin().forceExpire(name, "on order"), service::trueTimeOf));
    }

    private void pin(Kind kind, int lease, int number) {
        String name = GrantedTenures.lease(lease);
        String entity = "entity-" + number;
        service.call(operation(kind, name, entity, null, 0), call -> {
            LeaseAdmin admin = service.engine().admin();
            boolean isChanged = kind == Kind.PIN ? admin.pin(name, entity) : admin.unpin(name, entity);
            return isChanged ? Answers.DONE : Answers.no("UNCHANGED");
        });
    }

    // ---- another engine in the same process ----

    private void restart() {
        Service next = replace("RESTART");
        if (next != null) {
            next.start(WriterName.instance(service.machine()));
        }
    }

    private void cloneWriter(Action.CloneWriter clone) {
        Service next = replace("CLONE_WRITER");
        if (next == null) {
            return;
        }
        Service original = run.service(clone.from());
        if (original != null) {
            next.runtime().borrowText(original.runtime().newestText());
        }
        next.start(WriterName.instance(original == null ? service.machine() : clone.from()));
    }

    /** Closes the engine; the next one, which is still to be started. Null if another one was there already. */
    private @Nullable Service replace(String fault) {
        if (run.service(service.machine()) != service) {
            return null;
        }
        run.record(nowNanos -> new Event.Fault(nowNanos, service.machine(), fault, nowNanos));
        Service next = run.prepareService(service.process().simulatedMachine());
        service.close();
        return next;
    }

    // ---- how calls are recorded ----

    static Operation about(Kind kind, Tenure tenure, long durationNanos) {
        return operation(kind, tenure.name(), tenure.holder(), tenure, durationNanos);
    }

    private static Operation operation(
            Kind kind, @Nullable String lease, @Nullable String holder, @Nullable Tenure tenure, long durationNanos) {
        return new Operation(
                kind, lease, holder, tenure == null ? null : GrantedTenures.held(tenure), durationNanos, false);
    }

    Operation operation(Action.Acquire acquire) {
        Long termNanos = acquire.termNanos();
        return new Operation(
                Kind.ACQUIRE,
                GrantedTenures.lease(acquire.lease()),
                acquire.holder() == null ? null : GrantedTenures.holder(acquire.holder()),
                null,
                termNanos == null ? run.plan().sessionNanos(service.machine()) : termNanos,
                termNanos == null,
                acquire.campaigns() ? Operation.FOR_EVER_NANOS : acquire.waitNanos(),
                acquire.supersedes(),
                acquire.atLeastNanos() == null ? 0 : acquire.atLeastNanos(),
                null,
                acquire.priority(),
                false);
    }
}
