package dev.leasehold.engine.handle;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.commit.Subject;
import dev.leasehold.engine.meters.Outcome;
import dev.leasehold.engine.store.LeaseChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who wait, a line for each lease. Of the agenda's thread alone, apart from their number. */
final class Lines implements Line.Members {

    private static final Logger LOG = LoggerFactory.getLogger(Lines.class);

    private final Surroundings around;
    private final Holdings holdings;
    private final Releases releases;
    private final Map<String, Line> lines = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private int linesThatWait;
    private boolean refusedBySession;
    private final List<Holding> suspects = new ArrayList<>();

    Lines(Surroundings around, Holdings holdings, Releases releases) {
        this.around = around;
        this.holdings = holdings;
        this.releases = releases;
    }

    /** How many wait. Any thread may ask. */
    int count() {
        return count.get();
    }

    /** Whether anybody goes on waiting who has looked: not those whose first attempt is under way. */
    boolean anybodyWaits() {
        return linesThatWait > 0;
    }

    /** Whether somebody was refused a lease that a session keeps, and goes on waiting, since this was asked last. */
    boolean takeRefusedBySession() {
        boolean refused = refusedBySession;
        refusedBySession = false;
        return refused;
    }

    /** What was granted and may be over, since this was asked last. */
    List<Holding> takeSuspects() {
        List<Holding> taken = List.copyOf(suspects);
        suspects.clear();
        return taken;
    }

    int size() {
        return lines.size();
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Takes an acquisition on: what its holder has already is granted at once. */
    void join(Waiter waiter) {
        Holding holding = holdings.believed(waiter.name(), waiter.holder());
        if (holding != null) {
            grantAgain(waiter, holding);
        } else {
            warnOfItself(waiter);
            lines.computeIfAbsent(waiter.name(), name -> new Line(name, around, holdings, releases, this))
                    .join(waiter);
        }
    }

    /** It is no error: another thread may close the handle. */
    private void warnOfItself(Waiter waiter) {
        Thread caller = waiter.caller();
        Holding holding = holdings.of(waiter.name());
        if (caller != null
                && holding != null
                && waiter.endNanos() > around.nowNanos()
                && holding.isFirstToWaitForItself(caller)) {
            LOG.warn(
                    "{}: thread '{}' waits for the lease that it holds itself, under another holder name: unless another thread"
                            + " closes its handle, it waits in vain",
                    Subject.of(holding.tenure()),
                    caller.getName());
        }
    }

    private void grantAgain(Waiter waiter, Holding holding) {
        around.meters().operation(waiter.request().kind(), waiter.name(), Outcome.GRANTED, null, 0);
        waiter.granted(holdings.open(holding));
    }

    /** The caller went. A lease that was granted all the same is given back. */
    void withdraw(Waiter waiter) {
        Line line = lines.get(waiter.name());
        if (line != null && line.withdraw(waiter)) {
            return;
        }
        Acquisition granted = resultOf(waiter);
        if (granted instanceof Acquisition.Acquired acquired && acquired.lease() instanceof LeaseHandle handle) {
            handle.takeBack();
        }
    }

    private static @Nullable Acquisition resultOf(Waiter waiter) {
        return waiter.result().isCompletedExceptionally()
                ? null
                : waiter.result().getNow(null);
    }

    /** A lease was given up. */
    void freed(String name) {
        withLine(name, Line::freed);
    }

    /** The session of some writer in a partition is over; which leases it kept is not known here. */
    void sessionOver(String partition) {
        List.copyOf(lines.values()).stream()
                .filter(line -> line.waitsForASession() && around.operations().liesIn(partition, line.name()))
                .forEach(Line::freed);
    }

    /** Somebody has changed a lease. What is told of one for which nobody waits is of no use. */
    void heardOf(LeaseChange.OfLease change) {
        withLine(change.name(), line -> line.heardOf(change));
    }

    /** Something may have been missed. */
    void wakeAll() {
        List.copyOf(lines.values()).forEach(Line::wake);
    }

    void withLine(String name, Consumer<Line> action) {
        Line line = lines.get(name);
        if (line != null) {
            action.accept(line);
        }
    }

    /** The leases that somebody waits for while nobody is looking. */
    Set<String> sleeping() {
        Set<String> sleeping = new HashSet<>();
        for (Line line : lines.values()) {
            if (line.sleeps()) {
                sleeping.add(line.name());
            }
        }
        return sleeping;
    }

    void close(LeaseException closed) {
        List.copyOf(lines.values()).forEach(line -> line.close(closed));
    }

    @Override
    public void came() {
        count.incrementAndGet();
    }

    @Override
    public void went() {
        count.decrementAndGet();
    }

    @Override
    public void waits() {
        linesThatWait++;
    }

    @Override
    public void refusedBySession() {
        refusedBySession = true;
    }

    @Override
    public void suspects(Holding holding) {
        suspects.add(holding);
    }

    @Override
    public void over(Line line) {
        if (lines.remove(line.name(), line) && line.hasWaited()) {
            linesThatWait--;
        }
    }
}
