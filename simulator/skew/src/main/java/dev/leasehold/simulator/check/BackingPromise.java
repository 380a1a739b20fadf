package dev.leasehold.simulator.check;

import dev.leasehold.simulator.check.Tenure.Write;
import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of G8 about how long a belief lasts: no longer than what a majority has of it says, be it the expiry that the believing engine
 * wrote itself, or the end of its session. It shows the mistake also where nobody else was there to take the lease in time.
 */
final class BackingPromise {

    /**
     * Something was believed for longer than it was backed, as it seems. A machine that falls asleep before the end is asked anew, by clocks
     * that may run at other rates then.
     *
     * @param event what was believed
     * @param life by which engine
     * @param backedNanos when what a majority had of it ends, on that engine's clock
     */
    private record Doubtful(Event.Believed event, Life life, long backedNanos) {}

    private final Database database;
    private final Findings findings;
    private final List<Doubtful> doubtful = new ArrayList<>(0);

    BackingPromise(Database database, Findings findings) {
        this.database = database;
        this.findings = findings;
    }

    void believed(Event.Believed event, Life life) {
        Tenure tenure =
                findings.isInside() ? database.lease(event.tenure().lease()).tenure(event.tenure()) : null;
        if (tenure != null) {
            long backedNanos = backedNanos(tenure, life, event.atNanos());
            if (isBeyond(event.untilNanos(), life, backedNanos)) {
                doubtful.add(new Doubtful(event, life, backedNanos));
            }
        }
    }

    private static boolean isBeyond(long untilNanos, Life life, long backedNanos) {
        return life.readingNanos(untilNanos - life.unseenNanos() - 1) >= backedNanos;
    }

    void judge(Lives lives) {
        for (int i = 0; i < doubtful.size(); i++) {
            Event.Believed event = doubtful.get(i).event();
            Life life = doubtful.get(i).life();
            long awakeNanos = Math.min(lives.awakeUntilNanos(life.machine(), event.atNanos()), life.stoppedNanos());
            if (isBeyond(
                    Math.min(event.untilNanos(), awakeNanos),
                    life,
                    doubtful.get(i).backedNanos())) {
                report(event, life, doubtful.get(i).backedNanos());
                return;
            }
        }
    }

    private void report(Event.Believed event, Life life, long backedNanos) {
        findings.violation(
                Promise.G8,
                event.atNanos(),
                event.tenure().lease(),
                life + " believed at " + Words.seconds(event.atNanos())
                        + " that " + Words.holder(event.tenure()) + " holds the lease until "
                        + Words.seconds(event.untilNanos()) + ", and "
                        + (backedNanos == Long.MIN_VALUE
                                ? "a majority had nothing of that by then"
                                : "what a majority had of that by then ends when its clock shows "
                                        + Words.seconds(backedNanos) + ", which is at "
                                        + Words.seconds(life.whenItShowsNanos(backedNanos))));
    }

    /** When what this engine wrote ends, on its clock; MIN_VALUE for nothing. */
    private long backedNanos(Tenure tenure, Life life, long atNanos) {
        for (int i = tenure.writes().size() - 1; i >= 0; i--) {
            Write write = tenure.writes().get(i);
            if (write.life() == life && write.commit().majorityNanos() <= atNanos) {
                return write.expiryNanos() == null ? sessionEndNanos(tenure, atNanos) : write.expiryNanos();
            }
        }
        return Long.MIN_VALUE;
    }

    /** Only its own writer writes the lease of a session. */
    private long sessionEndNanos(Tenure tenure, long atNanos) {
        WriterTimeline writer = database.writer(tenure.writer());
        for (int i = writer == null ? -1 : writer.versions().size() - 1; i >= 0; i--) {
            WriterTimeline.Version version =
                    Objects.requireNonNull(writer).versions().get(i);
            Long endNanos = version.commit().majorityNanos() <= atNanos ? endNanos(version) : null;
            if (endNanos != null) {
                return endNanos;
            }
        }
        return Long.MIN_VALUE;
    }

    private static @Nullable Long endNanos(WriterTimeline.Version version) {
        return version.row() == null || version.row().sessionNanos() == null
                ? null
                : Long.valueOf(version.row().timeNanos() + version.row().sessionNanos());
    }
}
