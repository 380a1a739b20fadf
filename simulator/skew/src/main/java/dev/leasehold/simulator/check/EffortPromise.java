package dev.leasehold.simulator.check;

import dev.leasehold.simulator.check.Tenure.Write;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The part of LIM about what is written without need: heartbeats that are not due, and leases that their session keeps already. */
final class EffortPromise {

    /** Stamps may be a little ahead of the clock. */
    private static final long STAMPS_NANOS = 1_000;

    private final Trial trial;
    private final Findings findings;
    private final List<Beat> beats = new ArrayList<>();
    private final List<Event> troubles = new ArrayList<>();

    /** A heartbeat, and what it found. */
    private record Beat(WriterTimeline writer, Life life, Commit commit, WriterRow before, WriterRow after) {}

    EffortPromise(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
    }

    // ---- while the history is heard ----

    void entryChanged(
            WriterTimeline writer, Commit commit, WriterTimeline.@Nullable Version before, @Nullable WriterRow after) {
        if (before == null
                || before.row() == null
                || after == null
                || before.row().sessionNanos() == null
                || commit.author().kind() != Event.Author.Kind.SINGLE_WRITE
                || before.commit().life() != commit.life()) {
            return;
        }
        boolean isBeat = after.timeNanos() > before.row().timeNanos()
                && Objects.equals(after.transactionNanos(), before.row().transactionNanos());
        if (isBeat && commit.life() != null && !commit.changesMoreThanClock()) {
            beats.add(new Beat(writer, commit.life(), commit, before.row(), after));
        }
    }

    void befell(Event.Fault fault) {
        troubles.add(fault);
    }

    void heard(Event.Message message) {
        switch (message.leg()) {
            case REQUEST_LOST, REPLY_LOST, GIVEN_UP -> troubles.add(message);
            case SENT, EXECUTED, ANSWERED, RECEIVED -> {}
        }
    }

    // ---- when all is told ----

    void judge() {
        if (!findings.isInside() || trial.database().rollbacks() > 0) {
            return;
        }
        for (int i = 0; i < beats.size(); i++) {
            Beat before = beatBefore(i);
            if (before != null) {
                judge(before, beats.get(i));
            }
        }
        List<LeaseTimeline> leases = trial.database().leases();
        for (int i = 0; i < leases.size(); i++) {
            for (int j = 0; j < leases.get(i).tenures().size(); j++) {
                judge(leases.get(i).tenures().get(j));
            }
        }
    }

    private @Nullable Beat beatBefore(int index) {
        for (int i = index - 1; i >= 0; i--) {
            if (beats.get(i).writer() == beats.get(index).writer()) {
                return beats.get(i);
            }
        }
        return null;
    }

    /** One that was not answered is tried again soon. */
    private void judge(Beat first, Beat second) {
        long apartNanos = second.after().timeNanos() - first.after().timeNanos();
        long dueNanos = trial.history().plan().heartbeatNanos(first.life().machine());
        boolean isAnswered = first.commit().majorityNanos() <= second.commit().atNanos()
                && !isTroubled(second.life(), first.after().timeNanos(), second.commit());
        if (apartNanos < dueNanos - STAMPS_NANOS && isAnswered) {
            findings.violation(
                    Promise.LIM,
                    second.commit().atNanos(),
                    null,
                    "writer " + first.writer().name() + " sent a heartbeat that was "
                            + "written at " + Words.seconds(first.commit().atNanos())
                            + ", and nothing was in the way of its answer, and the next "
                            + Words.seconds(apartNanos) + " of its clock later, which was written at "
                            + Words.seconds(second.commit().atNanos())
                            + ", where one is due after " + Words.seconds(dueNanos));
        }
    }

    /** From when the stamp of the first of two writes was taken, which may arrive much later, until the second was written. */
    private boolean isTroubled(@Nullable Life life, long stampNanos, Commit second) {
        long fromNanos = life == null ? 0 : life.whenItShowsNanos(stampNanos) - STAMPS_NANOS;
        for (int i = 0; i < troubles.size(); i++) {
            Event trouble = troubles.get(i);
            long untilNanos = trouble instanceof Event.Fault fault ? fault.untilNanos() : trouble.atNanos();
            boolean isIts = trouble.machine() < 0 || life == null || trouble.machine() == life.machine();
            if (isIts && trouble.atNanos() <= second.atNanos() && untilNanos >= fromNanos) {
                return true;
            }
        }
        return false;
    }

    /** What a session keeps needs no write of its own to last. */
    private void judge(Tenure tenure) {
        for (int i = 1; i < tenure.writes().size(); i++) {
            Write before = tenure.writes().get(i - 1);
            Write write = tenure.writes().get(i);
            if (before.expiryNanos() == null
                    && write.expiryNanos() == null
                    && before.life() == write.life()
                    && !isTroubled(write.life(), before.writtenNanos(), write.commit())) {
                findings.violation(
                        Promise.LIM,
                        write.commit().atNanos(),
                        tenure.held().lease(),
                        write.life() + " wrote at "
                                + Words.seconds(write.commit().atNanos()) + " once more that "
                                + Words.holder(tenure.held())
                                + " has the lease, which its session kept since "
                                + Words.seconds(before.commit().atNanos()));
                return;
            }
        }
    }
}
