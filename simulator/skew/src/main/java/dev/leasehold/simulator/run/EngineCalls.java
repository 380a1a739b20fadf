package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.Action;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
                .on(Action.Claim.class, this::claim)
                .on(Action.TakeOver.class, this::takeOver)
                .on(Action.Extend.class, it -> extend(run.tenures().chosen(it.tenure()), it.durationNanos()))
                .on(Action.Release.class, this::release)
                .on(Action.Expire.class, this::expire)
                .on(Action.Refresh.class, it -> refresh())
                .on(Action.ListAll.class, it -> list())
                .on(Action.Housekeeping.class, it -> housekeeping())
                .on(Action.Acquire.class, this::acquire)
                .on(Action.ForceExpire.class, this::forceExpire)
                .on(Action.Pin.class, this::pin)
                .on(Action.Unpin.class, this::unpin)
                .on(Action.Restart.class, it -> restart())
                .on(Action.CloneWriter.class, this::cloneWriter)
                .on(Action.Gate.class, gates::run)
                .on(Action.Aim.class, new BoundaryProbe(run, service, this, gates)::aim);
    }

    // ---- tenures ----

    private interface Grant {
        LeaseResult ask(String lease, String holder, Duration term) throws InterruptedException;
    }

    private void claim(Action.Claim claim) {
        grant(Kind.CLAIM, claim.lease(), claim.holder(), claim.durationNanos(), service.tenures()::claim);
    }

    void takeOver(Action.TakeOver takeOver) {
        grant(
                Kind.TAKE_OVER,
                takeOver.lease(),
                takeOver.holder(),
                takeOver.durationNanos(),
                service.tenures()::takeOver);
    }

    private void grant(Kind kind, int lease, int holder, long durationNanos, Grant grant) {
        String leaseName = GrantedTenures.lease(lease);
        String holderName = GrantedTenures.holder(holder);
        service.call(operation(kind, leaseName, holderName, null, durationNanos), call -> {
            LeaseResult result = grant.ask(leaseName, holderName, Duration.ofNanos(durationNanos));
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

    private void release(Action.Release release) {
        Tenure tenure = run.tenures().chosen(release.tenure());
        if (tenure != null) {
            service.call(
                    about(Kind.RELEASE, tenure, 0),
                    call -> Answers.of(service.tenures().release(tenure), service::trueTimeOf));
        }
    }

    void expire(Action.Expire expire) {
        String lease = GrantedTenures.lease(expire.lease());
        service.call(
                operation(Kind.EXPIRE, lease, null, null, 0),
                call -> Answers.of(service.tenures().expire(lease), service::trueTimeOf));
    }

    // ---- handles ----

    void acquire(Action.Acquire acquire) {
        if (acquire.campaigns()) {
            new ElectionCandidate(run, service, operation(acquire)).run(acquire);
            return;
        }
        Lease[] acquired = new Lease[1];
        int[] acquiredBy = new int[1];
        service.call(operation(acquire), call -> {
            Acquisition acquisition = acquisition(acquire);
            if (acquisition == null) {
                return Answers.no(Answer.CANCELLED);
            }
            acquisition.asOptional().ifPresent(lease -> {
                service.acquired(lease, call);
                service.knowsStripes(service.tenures().assertion(lease.tenure()));
                acquired[0] = lease;
                acquiredBy[0] = call;
            });
            return Answers.of(acquisition, service::trueTimeOf);
        });
        if (acquired[0] != null) {
            service.pause(acquire.keepNanos());
            close(acquired[0], acquiredBy[0]);
        }
    }

    /** Null if it was cancelled. */
    private @Nullable Acquisition acquisition(Action.Acquire acquire) throws InterruptedException {
        Duration wait = Duration.ofNanos(acquire.waitNanos());
        if (acquire.cancelNanos() == null) {
            return service.engine().tryAcquire(request(acquire), wait);
        }
        CompletableFuture<Acquisition> acquisition =
                service.engine().tryAcquireAsync(request(acquire), wait).toCompletableFuture();
        service.process().await(acquisition, acquire.cancelNanos());
        acquisition.cancel(false);
        try {
            return acquisition.isCancelled() ? null : acquisition.join();
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
        return acquire.termNanos() == null ? request : request.term(Duration.ofNanos(acquire.termNanos()));
    }

    private void close(Lease lease, int acquiredBy) {
        service.call(about(Kind.CLOSE_HANDLE, lease.tenure(), 0).ofHandle(acquiredBy), call -> {
            lease.close();
            return Answers.DONE;
        });
        service.forget(lease);
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

    private void forceExpire(Action.ForceExpire force) {
        String lease = GrantedTenures.lease(force.lease());
        service.call(
                operation(Kind.FORCE_EXPIRE, lease, null, null, 0),
                call -> Answers.of(service.engine().admin().forceExpire(lease, "on order"), service::trueTimeOf));
    }

    private void pin(Action.Pin pin) {
        String lease = GrantedTenures.lease(pin.lease());
        String entity = entity(pin.entity());
        service.call(
                operation(Kind.PIN, lease, entity, null, 0),
                call -> service.engine().admin().pin(lease, entity) ? Answers.DONE : Answers.no("UNCHANGED"));
    }

    private void unpin(Action.Unpin unpin) {
        String lease = GrantedTenures.lease(unpin.lease());
        String entity = entity(unpin.entity());
        service.call(
                operation(Kind.UNPIN, lease, entity, null, 0),
                call -> service.engine().admin().unpin(lease, entity) ? Answers.DONE : Answers.no("UNCHANGED"));
    }

    private static String entity(int number) {
        return "entity-" + number;
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
        Service original = next == null ? null : run.service(clone.from());
        if (next != null && original != null) {
            next.runtime().borrowText(original.runtime().newestText());
            next.start(WriterName.instance(clone.from()));
        } else if (next != null) {
            next.start(WriterName.instance(service.machine()));
        }
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
                false);
    }
}
