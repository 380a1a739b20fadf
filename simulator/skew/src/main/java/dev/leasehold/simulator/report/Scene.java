package dev.leasehold.simulator.report;

import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.plan.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All that the lanes are drawn from. */
final class Scene {

    private static final long NEVER = Long.MAX_VALUE;

    private final History history;
    private final Story story;
    private final StampClock stamps;
    private final @Nullable Violation violation;
    private final Axis axis;
    private final boolean goesOn;
    private final Palette palette = new Palette();

    Scene(History history, Window window, @Nullable Violation violation) {
        this.history = history;
        this.story = StoryTeller.tell(history);
        this.stamps = new StampClock(history);
        this.violation = violation;
        this.axis = Axis.of(instants(window), violation == null ? null : violation.atNanos());
        this.goesOn = window.toIndex() < history.events().size();
    }

    History history() {
        return history;
    }

    Story story() {
        return story;
    }

    Axis axis() {
        return axis;
    }

    Palette palette() {
        return palette;
    }

    @Nullable Violation violation() {
        return violation;
    }

    /** When the clock of the writer of a lease passes the expiry that it wrote, in true time. */
    long expiryNanos(@Nullable LeaseRow row) {
        return row == null || !row.sound() || row.holder() == null || row.expiryNanos() == null
                ? NEVER
                : stamps.trueNanos(row.writer(), row.expiryNanos());
    }

    /** Whether something of this span is in the drawing. Where the history goes on after it, what begins at its end is not. */
    boolean shows(long fromNanos, long toNanos) {
        boolean begun = goesOn ? fromNanos < axis.toNanos() : fromNanos <= axis.toNanos();
        return begun && toNanos >= axis.fromNanos();
    }

    /** The leases of which something is in the drawing, by name. */
    Iterable<String> leases() {
        Set<String> leases = new TreeSet<>();
        for (Story.Stored stored : story.stored()) {
            if (shows(stored.fromNanos(), stored.toNanos())) {
                leases.add(stored.lease());
            }
        }
        return leases;
    }

    /** A bar from one instant to another; beyond the end of the drawing its end is open. */
    Bar bar(
            Bar.Shape shape,
            long fromNanos,
            long toNanos,
            String styles,
            String ink,
            String label,
            String brief,
            String tip) {
        boolean open = toNanos > axis.toNanos();
        return new Bar(shape, axis.x(fromNanos), axis.x(toNanos), styles, ink, label, brief, tip, open);
    }

    private List<Long> instants(Window window) {
        List<Long> all = new ArrayList<>();
        for (Story.Run run : story.runs()) {
            add(all, run.fromNanos(), run.toNanos());
        }
        for (Story.Call call : story.calls()) {
            add(all, call.fromNanos(), call.toNanos(), call.resolvedNanos());
            for (Answer.Shown shown : call.answer() == null
                    ? List.<Answer.Shown>of()
                    : call.answer().shown()) {
                add(all, shown.safeAfterNanos());
            }
        }
        for (Story.Belief belief : story.beliefs()) {
            add(all, belief.fromNanos(), belief.toNanos());
        }
        for (Event.Fault fault : story.faults()) {
            add(all, fault.atNanos(), fault.untilNanos());
        }
        for (Story.Mark mark : story.marks()) {
            add(all, mark.atNanos());
        }
        for (Story.Stored stored : story.stored()) {
            add(all, stored.fromNanos(), stored.toNanos(), expiryNanos(stored.row()));
        }
        for (Story.Commit commit : story.commits()) {
            add(all, commit.atNanos(), commit.majorityNanos(), commit.takenBackNanos());
        }
        all.removeIf(nanos -> nanos < window.fromNanos() || nanos > window.toNanos());
        add(all, window.fromNanos(), window.toNanos());
        if (violation != null) {
            add(all, violation.atNanos());
        }
        return all;
    }

    private static void add(List<Long> all, long... nanos) {
        for (long one : nanos) {
            all.add(one);
        }
    }
}
