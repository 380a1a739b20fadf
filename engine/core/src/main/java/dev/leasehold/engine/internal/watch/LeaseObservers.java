package dev.leasehold.engine.internal.watch;

import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.store.LeaseChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The leases that callers observe. Each is read when its observation begins, after a change, and periodically. One read of a lease is
 * under way at a time, so that the states come in the order in which the lease had them. Event loop only, apart from {@link #open}.
 */
public final class LeaseObservers {

    public static final long PERIOD_NANOS = 5_000_000_000L;

    /** After a release: most often the next tenure begins within that time, and no observer needs to know of the gap. */
    public static final long SETTLE_NANOS = 50_000_000;

    private final LeaseContext context;
    private final LeasePoller poller;
    private final Map<String, ObservedName> names = new HashMap<>();
    private @Nullable Timer nextRead;

    /** A lease with at least one observer. */
    private static final class ObservedName {
        private final List<LeaseObserver> observers = new ArrayList<>();
        private boolean reading;
        /** Whether it may have changed since the read under way was sent. */
        private boolean readAgain;

        private @Nullable Timer settled;
    }

    public LeaseObservers(LeaseContext context, LeasePoller poller) {
        this.context = context;
        this.poller = poller;
    }

    /** Begins an observation. Any thread. */
    public LeaseObservation open(String name, Consumer<? super LeaseState> listener) {
        LeaseObserver opened = new LeaseObserver(
                name, listener, context.callbacks(), closed -> context.loop().post(() -> remove(closed)));
        context.postFor(name, () -> add(opened));
        return opened;
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    /** The number of observed leases. */
    public int size() {
        return names.size();
    }

    private void add(LeaseObserver observer) {
        if (!context.operations().isClosed()) {
            names.computeIfAbsent(observer.name(), name -> new ObservedName())
                    .observers
                    .add(observer);
            schedule();
            read(Set.of(observer.name()));
        }
    }

    private void remove(LeaseObserver observer) {
        ObservedName observed = names.get(observer.name());
        if (observed != null && observed.observers.remove(observer) && observed.observers.isEmpty()) {
            context.loop().cancel(observed.settled);
            names.remove(observer.name());
        }
    }

    /** The engine is closed: no observer is told anything any more. */
    public void close() {
        names.values().forEach(observed -> List.copyOf(observed.observers).forEach(LeaseObserver::close));
    }

    // ---- when to read ----

    private void schedule() {
        if (nextRead == null) {
            nextRead = context.after(PERIOD_NANOS, () -> {
                nextRead = null;
                if (!isEmpty()) {
                    schedule();
                    readAll();
                }
            });
        }
    }

    /** A lease has changed. Ignored if it is not observed. */
    void onChange(LeaseChange.OfLease change) {
        ObservedName observed = names.get(change.name());
        if (observed != null) {
            if (change instanceof LeaseChange.Freed) {
                readSettled(change.name(), observed);
            } else {
                read(Set.of(change.name()));
            }
        }
    }

    /** The session of a writer in a partition has ended; which leases it kept is unknown here. */
    void onSessionEnded(String partition) {
        names.forEach((name, observed) -> {
            if (context.partitions().idOf(name).equals(partition)) {
                readSettled(name, observed);
            }
        });
    }

    private void readSettled(String name, ObservedName observed) {
        if (observed.settled == null) {
            observed.settled = context.after(SETTLE_NANOS, () -> {
                observed.settled = null;
                read(Set.of(name));
            });
        }
    }

    /** By partition, so that a read that fails is the read of none but these. */
    void readAll() {
        Map<String, Set<String>> byPartition = names.keySet().stream()
                .collect(Collectors.groupingBy(name -> context.partitions().idOf(name), Collectors.toSet()));
        byPartition.values().forEach(this::read);
    }

    // ---- the reads ----

    private void read(Collection<String> wanted) {
        Map<String, ObservedName> idle = new HashMap<>();
        wanted.forEach(name -> {
            ObservedName observed = names.get(name);
            if (observed != null && !observed.reading) {
                idle.put(name, observed);
            } else if (observed != null) {
                observed.readAgain = true;
            }
        });
        poller.poll(
                idle.keySet(),
                polled -> polled.states().forEach(state -> saw(Objects.requireNonNull(idle.get(state.name())), state)),
                failed -> failed.forEach(name -> hasRead(name, Objects.requireNonNull(idle.get(name)))));
        idle.values().forEach(observed -> observed.reading = true);
    }

    /** Observers that came after the last one had left have a read of their own. */
    private void saw(ObservedName observed, LeaseState state) {
        observed.observers.forEach(observer -> observer.saw(state));
        hasRead(state.name(), observed);
    }

    /** A read that failed is repeated by the next periodic one. */
    private void hasRead(String name, ObservedName observed) {
        observed.reading = false;
        if (observed.readAgain) {
            observed.readAgain = false;
            read(Set.of(name));
        }
    }
}
