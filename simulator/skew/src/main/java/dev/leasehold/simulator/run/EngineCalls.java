package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
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

    EngineCalls(SimulationRun run) {
        this.run = run;
    }

    // ---- tenures ----

    private interface Grant {
        LeaseResult ask(String lease, String holder, Duration term) throws InterruptedException;
    }

    void claim(Service service, Action.Claim claim) {
        grant(service, Kind.CLAIM, claim.lease(), claim.holder(), claim.durationNanos(), service.tenures()::claim);
    }

    void takeOver(Service service, Action.TakeOver takeOver) {
        grant(
                service,
                Kind.TAKE_OVER,
                takeOver.lease(),
                takeOver.holder(),
                takeOver.durationNanos(),
                service.tenures()::takeOver);
    }

    private static void grant(Service service, Kind kind, int lease, int holder, long durationNanos, Grant grant) {
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

    void extend(Service service, Action.Extend extend) {
        extend(service, run.tenures().chosen(extend.tenure()), extend.durationNanos());
    }

    void extend(Service service, @Nullable Tenure tenure, long durationNanos) {
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

    void release(Service service, Action.Release release) {
        Tenure tenure = run.tenures().chosen(release.tenure());
        if (tenure != null) {
            service.call(
                    about(Kind.RELEASE, tenure, 0),
                    call -> Answers.of(service.tenures().release(tenure), service::trueTimeOf));
        }
    }

    void expire(Service service, Action.Expire expire) {
        String lease = GrantedTenures.lease(expire.lease());
        service.call(
                operation(Kind.EXPIRE, lease, null, null, 0),
                call -> Answers.of(service.tenures().expire(lease), service::trueTimeOf));
    }

    // ---- handles ----

    void acquire(Service service, Action.Acquire acquire) {
        Lease[] acquired = new Lease[1];
        int[] acquiredBy = new int[1];
        service.call(operation(run, service, acquire), call -> {
            Acquisition acquisition = acquisition(service, acquire);
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
            close(service, acquired[0], acquiredBy[0]);
        }
    }

    /** Null if it was cancelled. */
    private static @Nullable Acquisition acquisition(Service service, Action.Acquire acquire)
            throws InterruptedException {
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

    private static void close(Service service, Lease lease, int acquiredBy) {
        service.call(about(Kind.CLOSE_HANDLE, lease.tenure(), 0).ofHandle(acquiredBy), call -> {
            lease.close();
            return Answers.DONE;
        });
        service.forget(lease);
    }

    // ---- reads, housekeeping, operators ----

    void refresh(Service service, Action.Refresh refresh) {
        List<String> all = IntStream.range(0, run.setting().leases())
                .mapToObj(GrantedTenures::lease)
                .toList();
        service.call(
                operation(Kind.REFRESH, null, null, null, 0),
                call -> Answers.of(service.engine().refresh(all), service::trueTimeOf));
    }

    void list(Service service, Action.ListAll list) {
        service.call(
                operation(Kind.LIST, null, null, null, 0),
                call -> Answers.of(service.engine().leases(), service::trueTimeOf));
    }

    void housekeeping(Service service, Action.Housekeeping housekeeping) {
        service.call(operation(Kind.HOUSEKEEPING, null, null, null, 0), call -> {
            service.engine().housekeeping();
            return Answers.DONE;
        });
    }

    void forceExpire(Service service, Action.ForceExpire force) {
        String lease = GrantedTenures.lease(force.lease());
        service.call(
                operation(Kind.FORCE_EXPIRE, lease, null, null, 0),
                call -> Answers.of(service.engine().admin().forceExpire(lease, "on order"), service::trueTimeOf));
    }

    void pin(Service service, Action.Pin pin) {
        String lease = GrantedTenures.lease(pin.lease());
        String entity = entity(pin.entity());
        service.call(
                operation(Kind.PIN, lease, entity, null, 0),
                call -> service.engine().admin().pin(lease, entity) ? Answers.DONE : Answers.no("UNCHANGED"));
    }

    void unpin(Service service, Action.Unpin unpin) {
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

    void restart(Service service, Action.Restart restart) {
        Service next = replace(service, "RESTART");
        if (next != null) {
            next.start(WriterName.instance(service.machine()));
        }
    }

    void cloneWriter(Service service, Action.CloneWriter clone) {
        Service next = replace(service, "CLONE_WRITER");
        Service original = next == null ? null : run.service(clone.from());
        if (next != null && original != null) {
            next.runtime().borrowText(original.runtime().newestText());
            next.start(WriterName.instance(clone.from()));
        } else if (next != null) {
            next.start(WriterName.instance(service.machine()));
        }
    }

    /** Closes the engine; the next one, which is still to be started. Null if another one was there already. */
    private @Nullable Service replace(Service service, String fault) {
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

    static Operation operation(SimulationRun run, Service service, Action.Acquire acquire) {
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
