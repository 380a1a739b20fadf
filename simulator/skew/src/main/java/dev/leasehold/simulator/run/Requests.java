package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What services and operators ask of an engine. */
final class Requests {

    private final Stage stage;

    Requests(Stage stage) {
        this.stage = stage;
    }

    /** Asks, on a thread of the service's program. */
    void ask(Service service, LeaseEngine engine, Action action) {
        if (action instanceof Action.Claim claim) {
            claim(service, engine, claim.lease(), claim.holder(), claim.durationNanos());
        } else if (action instanceof Action.TakeOver takeOver) {
            takeOver(service, engine, takeOver.lease(), takeOver.holder(), takeOver.durationNanos());
        } else if (action instanceof Action.Extend extend) {
            extend(service, engine, stage.tenures().chosen(extend.tenure()), extend.durationNanos());
        } else if (action instanceof Action.Release release) {
            release(service, engine, stage.tenures().chosen(release.tenure()));
        } else if (action instanceof Action.Expire expire) {
            expire(service, engine, expire.lease());
        } else if (action instanceof Action.Acquire acquire) {
            acquire(service, engine, acquire);
        } else if (action instanceof Action.Restart || action instanceof Action.CloneWriter) {
            restart(service, engine, action);
        } else {
            askAsOperator(service, engine, action);
        }
    }

    private void askAsOperator(Service service, LeaseEngine engine, Action action) {
        if (action instanceof Action.Refresh) {
            service.call(
                    operation(Kind.REFRESH, null, null, null, 0),
                    call -> Answers.of(engine.refresh(allNames()), service::trueTimeOf));
        } else if (action instanceof Action.ListAll) {
            service.call(
                    operation(Kind.LIST, null, null, null, 0),
                    call -> Answers.of(engine.leases(), service::trueTimeOf));
        } else if (action instanceof Action.Housekeeping) {
            service.call(operation(Kind.HOUSEKEEPING, null, null, null, 0), call -> {
                engine.housekeeping();
                return Answers.DONE;
            });
        } else if (action instanceof Action.ForceExpire force) {
            String name = Tenures.lease(force.lease());
            service.call(
                    operation(Kind.FORCE_EXPIRE, name, null, null, 0),
                    call -> Answers.of(engine.admin().forceExpire(name, "on order"), service::trueTimeOf));
        } else if (action instanceof Action.Pin pin) {
            String name = Tenures.lease(pin.lease());
            service.call(
                    operation(Kind.PIN, name, entity(pin.entity()), null, 0),
                    call -> engine.admin().pin(name, entity(pin.entity())) ? Answers.DONE : Calls.nothing("UNCHANGED"));
        } else if (action instanceof Action.Unpin unpin) {
            String name = Tenures.lease(unpin.lease());
            service.call(
                    operation(Kind.UNPIN, name, entity(unpin.entity()), null, 0),
                    call -> engine.admin().unpin(name, entity(unpin.entity()))
                            ? Answers.DONE
                            : Calls.nothing("UNCHANGED"));
        } else {
            throw new IllegalArgumentException("nobody knows how to play " + action);
        }
    }

    void claim(Service service, LeaseEngine engine, int lease, int holder, long durationNanos) {
        grant(
                service,
                Kind.CLAIM,
                lease,
                holder,
                durationNanos,
                () -> engine.tenures()
                        .claim(Tenures.lease(lease), Tenures.holder(holder), Duration.ofNanos(durationNanos)));
    }

    void takeOver(Service service, LeaseEngine engine, int lease, int holder, long durationNanos) {
        grant(
                service,
                Kind.TAKE_OVER,
                lease,
                holder,
                durationNanos,
                () -> engine.tenures()
                        .takeOver(Tenures.lease(lease), Tenures.holder(holder), Duration.ofNanos(durationNanos)));
    }

    private interface Asking {
        LeaseResult ask() throws InterruptedException;
    }

    private void grant(Service service, Kind kind, int lease, int holder, long durationNanos, Asking asking) {
        Operation operation = operation(kind, Tenures.lease(lease), Tenures.holder(holder), null, durationNanos);
        service.call(operation, call -> {
            LeaseResult answer = asking.ask();
            if (answer.isGranted()) {
                service.granted(answer.orElseThrow());
            }
            return Answers.of(answer, service::trueTimeOf);
        });
    }

    void extend(Service service, LeaseEngine engine, @Nullable Tenure tenure, long durationNanos) {
        if (tenure != null) {
            service.call(about(Kind.EXTEND, tenure, durationNanos), call -> {
                LeaseResult answer = engine.tenures().extend(tenure, Duration.ofNanos(durationNanos));
                if (answer.isGranted()) {
                    service.granted(tenure);
                }
                return Answers.of(answer, service::trueTimeOf);
            });
        }
    }

    private void release(Service service, LeaseEngine engine, @Nullable Tenure tenure) {
        if (tenure != null) {
            service.call(
                    about(Kind.RELEASE, tenure, 0),
                    call -> Answers.of(engine.tenures().release(tenure), service::trueTimeOf));
        }
    }

    void expire(Service service, LeaseEngine engine, int lease) {
        String name = Tenures.lease(lease);
        service.call(
                operation(Kind.EXPIRE, name, null, null, 0),
                call -> Answers.of(engine.tenures().expire(name), service::trueTimeOf));
    }

    /** A handle, and the call by which it was acquired. */
    private record Got(Lease handle, int call) {}

    void acquire(Service service, LeaseEngine engine, Action.Acquire acquire) {
        List<Got> got = new ArrayList<>(1);
        service.call(asked(service, acquire), call -> {
            Acquisition acquisition = acquired(service, engine, acquire);
            if (acquisition == null) {
                return Calls.nothing(Answer.CANCELLED);
            }
            acquisition.asOptional().ifPresent(lease -> {
                service.acquired(lease, call);
                got.add(new Got(lease, call));
                service.knowsStripes(engine.tenures().assertion(lease.tenure()));
            });
            return Answers.of(acquisition, service::trueTimeOf);
        });
        if (!got.isEmpty()) {
            service.pause(acquire.keepNanos());
            close(service, got.get(0));
        }
    }

    /** Null if it was cancelled. */
    private static @Nullable Acquisition acquired(Service service, LeaseEngine engine, Action.Acquire acquire)
            throws InterruptedException {
        Duration wait = Duration.ofNanos(acquire.waitNanos());
        if (acquire.cancelNanos() == null) {
            return engine.tryAcquire(request(acquire), wait);
        }
        CompletableFuture<Acquisition> acquisition =
                engine.tryAcquireAsync(request(acquire), wait).toCompletableFuture();
        service.simulatedProcess().await(acquisition, acquire.cancelNanos());
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

    private Operation asked(Service service, Action.Acquire acquire) {
        Long termNanos = acquire.termNanos();
        return new Operation(
                Kind.ACQUIRE,
                Tenures.lease(acquire.lease()),
                acquire.owner() == null ? null : Tenures.holder(acquire.owner()),
                null,
                termNanos == null
                        ? stage.plan()
                                .sessionNanos(service.simulatedProcess()
                                        .simulatedMachine()
                                        .number())
                        : termNanos,
                termNanos == null,
                acquire.waitNanos(),
                acquire.supersedes(),
                acquire.atLeastNanos() == null ? 0 : acquire.atLeastNanos(),
                null,
                false);
    }

    private static LeaseRequest request(Action.Acquire acquire) {
        LeaseRequest request = LeaseRequest.of(Tenures.lease(acquire.lease()));
        if (acquire.owner() != null) {
            request = request.holder(Tenures.holder(acquire.owner()));
        }
        if (acquire.stripes() != null) {
            request = request.gateStripes(acquire.stripes());
        }
        if (acquire.atLeastNanos() != null) {
            request = request.atLeast(Duration.ofNanos(acquire.atLeastNanos()));
        }
        request = request.supersede(acquire.supersedes());
        return acquire.termNanos() == null ? request : request.term(Duration.ofNanos(acquire.termNanos()));
    }

    private static void close(Service service, Got got) {
        service.call(about(Kind.CLOSE_HANDLE, got.handle().tenure(), 0).ofHandle(got.call()), call -> {
            got.handle().close();
            return Answers.DONE;
        });
        service.forget(got.handle());
    }

    private void restart(Service service, LeaseEngine engine, Action action) {
        if (stage.service(service.simulatedProcess().simulatedMachine().number()) != service) {
            return;
        }
        stage.simulation()
                .record(new Event.Fault(
                        stage.simulation().nowNanos(),
                        service.simulatedProcess().simulatedMachine().number(),
                        action instanceof Action.CloneWriter ? "CLONE_WRITER" : "RESTART",
                        stage.simulation().nowNanos()));
        Service next = stage.prepareService(service.simulatedProcess().simulatedMachine());
        service.close(engine);
        if (action instanceof Action.CloneWriter clone && stage.service(clone.from()) != null) {
            next.runtime()
                    .borrowText(Objects.requireNonNull(stage.service(clone.from()))
                            .runtime()
                            .newestText());
            next.start(WriterName.instance(clone.from()));
        } else {
            next.start(Service.instanceOf(
                    service.simulatedProcess().simulatedMachine().number()));
        }
    }

    private List<String> allNames() {
        List<String> names = new ArrayList<>();
        for (int lease = 0; lease < stage.setting().leases(); lease++) {
            names.add(Tenures.lease(lease));
        }
        return names;
    }

    private static String entity(int number) {
        return "entity-" + number;
    }

    static Operation about(Kind kind, Tenure tenure, long durationNanos) {
        return operation(kind, tenure.name(), tenure.holder(), tenure, durationNanos);
    }

    private static Operation operation(
            Kind kind, @Nullable String lease, @Nullable String holder, @Nullable Tenure tenure, long durationNanos) {
        return new Operation(kind, lease, holder, tenure == null ? null : Tenures.held(tenure), durationNanos, false);
    }
}
