package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** G4: the clock document never goes back for a writer, and a writer is one engine for ever. */
final class ClockPromise {

    private final Findings findings;

    ClockPromise(Findings findings) {
        this.findings = findings;
    }

    void entryChanged(
            WriterTimeline writer, Commit commit, WriterTimeline.@Nullable Version before, @Nullable WriterRow after) {
        if (after == null) {
            return;
        }
        if (before == null || before.row() == null) {
            judgeNew(writer, commit);
            return;
        }
        judgeTheRest(writer, commit, before.row(), after);
        if (after.timeNanos() < before.row().timeNanos()) {
            findings.violation(
                    Promise.G4,
                    commit.atNanos(),
                    null,
                    "writer " + writer.name() + " was known to have reached "
                            + Words.seconds(before.row().timeNanos()) + " of its clock since "
                            + Words.seconds(before.commit().atNanos())
                            + ", and " + commit.who() + " set it back to " + Words.seconds(after.timeNanos()) + " at "
                            + Words.seconds(commit.atNanos()));
        } else if (findings.isInside() && commit.life() != before.commit().life() && commit.life() != null) {
            findings.violation(
                    Promise.G4,
                    commit.atNanos(),
                    null,
                    "writer " + writer.name() + " was the engine "
                            + before.commit().who() + " since "
                            + Words.seconds(before.commit().atNanos()) + ", and " + commit.who()
                            + " wrote under that name at " + Words.seconds(commit.atNanos()));
        }
    }

    /** Whoever was removed goes on under another name, unless it is a clone. */
    private void judgeNew(WriterTimeline writer, Commit commit) {
        for (int i = 0; i < writer.versions().size() - 1; i++) {
            WriterTimeline.Version version = writer.versions().get(i);
            if (version.row() == null) {
                findings.violationInside(
                        Promise.G4,
                        commit.atNanos(),
                        null,
                        "writer " + writer.name() + " was removed at "
                                + Words.seconds(version.commit().atNanos()) + " for ever, and " + commit.who()
                                + " made its entry again at "
                                + Words.seconds(commit.atNanos()));
                return;
            }
        }
    }

    private void judgeTheRest(WriterTimeline writer, Commit commit, WriterRow before, WriterRow after) {
        Long transactionNanos = before.transactionNanos();
        if (before.sessionNanos() != null && !before.sessionNanos().equals(after.sessionNanos())) {
            findings.violation(
                    Promise.G4,
                    commit.atNanos(),
                    null,
                    "the session of writer " + writer.name() + " was to be of "
                            + Words.seconds(before.sessionNanos()) + " for ever, and " + commit.who()
                            + " changed that at "
                            + Words.seconds(commit.atNanos()));
        } else if (transactionNanos != null
                && (after.transactionNanos() == null || after.transactionNanos() < transactionNanos)) {
            findings.violation(
                    Promise.G4,
                    commit.atNanos(),
                    null,
                    "the newest transaction of writer " + writer.name() + " was of "
                            + Words.seconds(transactionNanos) + " of its clock, and " + commit.who()
                            + " set that back at "
                            + Words.seconds(commit.atNanos()));
        }
    }

    /** The whole document: each write counts, so that two of them never go unnoticed by each other, and tokens are never given out again. */
    void clockChanged(Commit commit, ClockRow before, ClockRow after) {
        boolean isFirst = before.ticks() == 0 && before.writers().isEmpty();
        if (!isFirst && after.ticks() <= before.ticks() || after.tokenFloor() < before.tokenFloor()) {
            findings.violation(
                    Promise.G4,
                    commit.atNanos(),
                    null,
                    "the clock document had counted " + before.ticks()
                            + " writes and tokens up to " + before.tokenFloor() + ", and " + commit.who()
                            + " left it at " + after.ticks()
                            + " and " + after.tokenFloor() + " at " + Words.seconds(commit.atNanos()));
        }
    }

    /** What an engine wrote is known by its writer and its stamp, which never come back. */
    void leaseChanged(LeaseTimeline lease, Commit commit, @Nullable LeaseRow before, @Nullable LeaseRow after) {
        if (commit.life() == null
                || before == null
                || after == null
                || !before.sound()
                || !after.writer().equals(before.writer())) {
            return;
        }
        boolean isOther = before.token() != after.token()
                || !Objects.equals(before.holder(), after.holder())
                || !Objects.equals(before.expiryNanos(), after.expiryNanos());
        if (after.writtenNanos() < before.writtenNanos() || isOther && after.writtenNanos() == before.writtenNanos()) {
            findings.violationInside(
                    Promise.G4,
                    commit.atNanos(),
                    lease.name(),
                    "writer " + after.writer() + " had written "
                            + lease.name() + " under the stamp " + Words.seconds(before.writtenNanos()) + ", and "
                            + commit.who()
                            + " wrote it under " + Words.seconds(after.writtenNanos()) + " at "
                            + Words.seconds(commit.atNanos()));
        }
    }
}
