package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.plan.Setting;
import org.jspecify.annotations.Nullable;

/**
 * The part of G4 about what is removed: an entry of a writer, or the document of a lease, stays until its last writer's clock has run for as
 * long as it is to be kept.
 */
final class RemovalPromise {

    private static final long SILENCE_NANOS = 3_600_000_000_000L;

    private final Findings findings;
    private final Setting setting;

    RemovalPromise(Findings findings, Setting setting) {
        this.findings = findings;
        this.setting = setting;
    }

    /** Where its session keeps a lease, another judge looks at that. */
    void entryChanged(
            WriterTimeline writer,
            Commit commit,
            WriterTimeline.@Nullable Version before,
            @Nullable WriterRow after,
            boolean keepsAny) {
        if (after != null || before == null || before.row() == null || keepsAny || commit.life() == null) {
            return;
        }
        Life life = before.commit().life();
        Long sessionNanos = before.row().sessionNanos();
        if (life != null && life != commit.life()) {
            long keptNanos = sessionNanos == null ? SILENCE_NANOS : sessionNanos;
            judge(
                    life,
                    before.row().timeNanos(),
                    before.commit(),
                    keptNanos,
                    "the entry of writer " + writer.name(),
                    null,
                    commit);
        }
    }

    void leaseChanged(LeaseTimeline lease, Commit commit, @Nullable LeaseRow before, @Nullable LeaseRow after) {
        if (after != null
                || before == null
                || !before.sound()
                || commit.life() == null
                || lease.versions().size() < 2) {
            return;
        }
        Commit written = lease.versions().get(lease.versions().size() - 2).commit();
        Life life = written.life();
        // Clones write under other names than theirs, and whoever pins a lease leaves it under that of another.
        if (life != null && life.isWriter(before.writer())) {
            judge(life, before.writtenNanos(), written, setting.retentionNanos(), "the document", lease.name(), commit);
        }
    }

    private void judge(
            Life life,
            long stampNanos,
            Commit written,
            long keptNanos,
            String what,
            @Nullable String lease,
            Commit commit) {
        long passedNanos = life.passedNanos(commit.atNanos(), stampNanos, written.atNanos());
        if (life.isNotPast(commit.atNanos(), passedNanos, keptNanos)) {
            findings.violationInside(
                    Promise.G4,
                    commit.atNanos(),
                    lease,
                    what + ", which " + life + " wrote at "
                            + Words.seconds(written.atNanos()) + ", was to be kept for " + Words.seconds(keptNanos)
                            + ", and " + commit.who()
                            + " removed it at " + Words.seconds(commit.atNanos()) + ", when " + life
                            + "'s clock had run "
                            + Words.seconds(passedNanos) + " since the stamp of that write");
        }
    }
}
