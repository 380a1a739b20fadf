package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Event;
import java.util.Objects;

/** LIM: nothing runs in circles, breaks, or grows without bound. */
final class LimitPromise {

    /** Every registration in doubt takes a fresh name, and the old entry stays until it is pruned. */
    private static final int ENTRIES_PER_ENGINE_MAX = 32;

    /** Who has paused for less may be slow, and no more than that. */
    private static final long RESTS_NANOS_MIN = 1_000_000_000;

    private final Findings findings;
    private final Database database;
    private boolean entriesTold;

    LimitPromise(Findings findings, Database database) {
        this.findings = findings;
        this.database = database;
    }

    void exceeded(Event.Exceeded event) {
        findings.violation(
                Promise.LIM,
                event.atNanos(),
                null,
                "a limit was exceeded at " + Words.seconds(event.atNanos()) + ": " + event.limit());
    }

    void reached(Event.Reached event) {
        Event.Rest rest = event.rest();
        if (findings.isInside()
                && rest != null
                && rest.nanos() < RESTS_NANOS_MIN
                && !mayBeEvicted(rest.writer(), event.atNanos())) {
            findings.violation(
                    Promise.LIM,
                    event.atNanos(),
                    null,
                    "the engine on m" + event.machine() + " ended at "
                            + Words.seconds(event.atNanos()) + " the transaction of " + rest.writer()
                            + ", whose session went on, and which had"
                            + " rested for no more than " + Words.seconds(rest.nanos()));
        }
    }

    /**
     * Whoever saw its session over may have done so before the last signs of life, of which no majority had heard yet. What a majority had
     * a second ago was seen: the transaction has not gone on since it was listed, and the entries are read after that.
     */
    private boolean mayBeEvicted(String name, long atNanos) {
        WriterTimeline writer = database.writer(name);
        int versions = writer == null ? 0 : writer.versions().size();
        for (int i = versions - 1; i >= 0; i--) {
            WriterTimeline.Version version =
                    Objects.requireNonNull(writer).versions().get(i);
            if (isOver(version, atNanos)) {
                return true;
            }
            if (version.commit().majorityNanos() <= atNanos - RESTS_NANOS_MIN) {
                return false;
            }
        }
        return versions == 0;
    }

    private static boolean isOver(WriterTimeline.Version version, long atNanos) {
        Life life = version.commit().life();
        if (life == null || version.row() == null) {
            return true;
        }
        Long sessionNanos = version.row().sessionNanos();
        long passedNanos = life.passedNanos(
                atNanos, version.row().timeNanos(), version.commit().atNanos());
        return sessionNanos != null && !life.isNotPast(atNanos, passedNanos, sessionNanos);
    }

    void broken(Event.Broken event) {
        findings.violation(
                Promise.LIM,
                event.atNanos(),
                null,
                "the engine on m" + event.machine() + " broke at " + Words.seconds(event.atNanos()) + ": "
                        + event.failure());
    }

    void entries(int entries, int engines, long atNanos) {
        if (entries > ENTRIES_PER_ENGINE_MAX * Math.max(1, engines) && !entriesTold) {
            entriesTold = true;
            findings.violation(
                    Promise.LIM,
                    atNanos,
                    null,
                    "the clock document had " + entries + " writers at " + Words.seconds(atNanos) + ", of " + engines
                            + " engines that were ever started");
        }
    }
}
