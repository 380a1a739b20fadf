package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change.WriterRow;
import org.jspecify.annotations.Nullable;

/** G4: the clock document never goes back for a writer, and a writer is one engine for ever. */
final class ClockPromise {

    private final Findings findings;

    ClockPromise(Findings findings) {
        this.findings = findings;
    }

    void entryChanged(
            WriterTimeline writer, Commit commit, WriterTimeline.@Nullable Version before, @Nullable WriterRow after) {
        if (before == null || before.row() == null || after == null) {
            return;
        }
        if (after.timeNanos() < before.row().timeNanos()) {
            findings.violation(Promise.G4, commit.atNanos(), null, "writer " + writer.name() + " was known to have reached "
                    + Words.seconds(before.row().timeNanos()) + " of its clock since " + Words.seconds(before.commit().atNanos())
                    + ", and " + commit.who() + " set it back to " + Words.seconds(after.timeNanos()) + " at "
                    + Words.seconds(commit.atNanos()));
        } else if (findings.isInside() && commit.life() != before.commit().life() && commit.life() != null) {
            findings.violation(Promise.G4, commit.atNanos(), null, "writer " + writer.name() + " was the engine "
                    + before.commit().who() + " since " + Words.seconds(before.commit().atNanos()) + ", and " + commit.who()
                    + " wrote under that name at " + Words.seconds(commit.atNanos()));
        }
    }
}
