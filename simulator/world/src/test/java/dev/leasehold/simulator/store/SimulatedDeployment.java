package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.world.ProcessKilled;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import dev.leasehold.simulator.world.Workers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A simulated database in a world of its own. The test is a program of that world, on the same machine as the stores that wait;
 * those that give up soon are on another one.
 *
 * <p>A store may be used by its own program alone. So a program that uses one of another has a thread there do it, and waits.
 */
final class SimulatedDeployment implements ContractDeployment {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long FOR_EVER = 1_000_000 * SECOND;
    private static final long LATENESS_NANOS = 10 * SECOND;
    private static final long COMMAND_NANOS = 2 * SECOND;
    private static final NetworkConditions NETWORK = new NetworkConditions(MILLISECOND, 0, 0, 0, 0, 0, 0, 0, 0);
    /** More than any test sends before it is mended. */
    private static final int COMMANDS_MAX = 50;

    private final Workers workers = new Workers();
    private final Simulation simulation = new Simulation(workers);
    private final SimulatedNetwork simulatedNetwork = new SimulatedNetwork(simulation, NETWORK);
    private final SimulatedDatabase database =
            new SimulatedDatabase(simulation, simulatedNetwork, DatabaseConditions.PLAIN, COMMAND_NANOS);
    private final SimulatedProcess near = program(1);
    private final SimulatedProcess far = program(2);
    /** On whose threads the caller is. */
    private final ThreadLocal<SimulatedProcess> here = new ThreadLocal<>();

    /** What stands between the tests and the database. */
    private final UnaryOperator<LeaseStore> front;

    private int callers;

    SimulatedDeployment() {
        this(UnaryOperator.identity());
    }

    SimulatedDeployment(UnaryOperator<LeaseStore> front) {
        this.front = front;
    }

    private SimulatedProcess program(long seed) {
        Machine plain = new Machine(0, 0, 1, List.of());
        return simulation.addMachine(new MachineClock(plain), seed).startProcess();
    }

    @Override
    public void play(Story story) throws Throwable {
        CompletableFuture<Void> end = new CompletableFuture<>();
        near.start("test", () -> {
            here.set(near);
            try {
                story.run();
                end.complete(null);
            } catch (ProcessKilled e) {
                throw e;
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
            simulation.end();
        });
        simulation.run();
        workers.close();
        if (!end.isDone()) {
            List<Event> events = simulation.events();
            throw new AssertionError("the world ended before the test: " + events.get(events.size() - 1));
        }
        joined(end);
    }

    // ---- what runs where ----

    private <T> T handedOver(Class<T> type, T target, SimulatedProcess to) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> on(to, () -> {
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw SimulatedDeployment.<RuntimeException>asIs(e.getCause());
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                })));
    }

    private <T> T on(SimulatedProcess there, Supplier<T> call) {
        return here.get() == there ? call.get() : await(start(there, call));
    }

    private <T> CompletableFuture<T> start(SimulatedProcess there, Supplier<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        there.start("part of the test", () -> {
            here.set(there);
            try {
                result.complete(call.get());
            } catch (ProcessKilled e) {
                throw e;
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private <T> T await(CompletableFuture<T> result) {
        here.get().await(result, FOR_EVER);
        return joined(result);
    }

    /** With what was thrown as it was thrown. */
    private static <T> T joined(CompletableFuture<T> done) {
        Throwable thrown = done.handle((result, failure) -> failure).join();
        if (thrown != null) {
            throw SimulatedDeployment.<RuntimeException>asIs(thrown);
        }
        return done.join();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E asIs(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private void sleep(long nanos) {
        here.get().await(new CompletableFuture<>(), nanos);
    }

    // ---- stores and callers ----

    @Override
    public LeaseStore connect(Partition partition) {
        return handedOver(LeaseStore.class, front.apply(database.connect(near, partition, 1_000)), near);
    }

    @Override
    public LeaseStore connectImpatiently() {
        LeaseStore store = front.apply(database.connect(far, Partition.whole(Fixture.NAMESPACE), 1_000));
        return handedOver(LeaseStore.class, store, far);
    }

    @Override
    public Caller caller() {
        CallerSession session = database.callerSession(near, callers++, new HeldTenure("x", "h", 1));
        return handedOver(Caller.class, new SimulatedCaller(session, this::storedByCallers), near);
    }

    /** What is left of what callers have committed. */
    private @Nullable Long storedByCallers(String document) {
        TreeMap<Long, Long> byVersion = new TreeMap<>();
        for (Event event : simulation.events()) {
            if (event instanceof Event.RolledBack back) {
                byVersion.tailMap(back.toVersion(), false).clear();
            } else if (event instanceof Event.Committed committed) {
                for (Change change : committed.changes()) {
                    if (change instanceof Change.OfCaller own && own.document().equals(document)) {
                        byVersion.put(committed.version(), own.value());
                    }
                }
            }
        }
        return byVersion.isEmpty() ? null : byVersion.lastEntry().getValue();
    }

    // ---- mishaps ----

    @Override
    public void befall(Mishap mishap) {
        for (int command = 0; command < COMMANDS_MAX; command++) {
            befallOnce(mishap);
        }
    }

    @Override
    public void befallOnce(Mishap mishap) {
        MessageFault messageFault = fate(mishap);
        far.simulatedMachine().await(messageFault);
        if (mishap != Mishap.LATE) {
            near.simulatedMachine().await(messageFault);
        }
    }

    private static MessageFault fate(Mishap mishap) {
        return switch (mishap) {
            case REQUEST_LOST -> new MessageFault(MessageFault.Kind.LOSE_REQUEST, 0, 0);
            case REFUSED -> new MessageFault(MessageFault.Kind.REFUSE, 0, 0);
            case DONE_AND_FAILED -> new MessageFault(MessageFault.Kind.DO_AND_FAIL, 0, 0);
            case LATE -> new MessageFault(MessageFault.Kind.DELAY_REQUEST, 0, LATENESS_NANOS);
        };
    }

    @Override
    public void mend() {
        near.simulatedMachine().heal();
        far.simulatedMachine().heal();
    }

    @Override
    public void awaitLatecomers() {
        sleep(2 * LATENESS_NANOS);
    }

    // ---- beside each other ----

    @Override
    public <T> Meanwhile<T> meanwhile(Supplier<T> part) {
        CompletableFuture<T> result = start(near, part);
        return new Meanwhile<>() {
            @Override
            public boolean isDone() {
                return result.isDone();
            }

            @Override
            public T join() {
                return await(result);
            }
        };
    }

    @Override
    public void awaitBlocked(Meanwhile<?> part) {
        sleep(50 * MILLISECOND);
        if (part.isDone()) {
            throw new AssertionError("it did not wait, and answered " + part.join());
        }
    }

    @Override
    public void passTime() {
        sleep(SECOND);
    }

    // ---- the database ----

    @Override
    public void stopReplication() {
        database.lag(FOR_EVER);
    }

    @Override
    public void resumeReplication() {
        database.heal();
    }

    @Override
    public void awaitReplication() {
        sleep(SECOND);
    }

    @Override
    public @Nullable Long newestToken(String lease) {
        Change.LeaseRow row = database.lease(lease);
        return row == null ? null : row.token();
    }

    @Override
    public void replacePrimary() {
        failOver(false);
    }

    @Override
    public void losePrimary() {
        failOver(true);
        database.heal();
    }

    private void failOver(boolean losesUnreplicated) {
        database.failOver(SECOND, losesUnreplicated);
        sleep(2 * SECOND);
    }

    @Override
    public void limitLifetime() {
        // A minute is as good as a second.
    }

    @Override
    public void corruptQueue(String lease) {
        database.damageQueue(lease);
    }

    @Override
    public void corrupt(String lease) {
        database.damage(DamageKind.CORRUPT_LEASE, lease);
    }
}
