package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;

import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Operation.Kind;

/**
 * G7: the close of an engine ends its sessions, where nothing is in its way.
 */
record CloseInvariant(Model history, Violations violations) implements Invariant {

    /** Behind the open transaction of another engine a write waits for as long, and then gives up. */
    private static final long UNHINDERED_NANOS_MAX = 1_000_000_000;

    @Override
    public void check() {
        if (history.isWhole()) {
            history.calls().stream()
                    .filter(call -> call.kind() == Kind.CLOSE_ENGINE && call.answer != null)
                    .forEach(this::checkEngine);
        }
    }

    private void checkEngine(Call close) {
        long earlyNanos = Math.min(history.conditions.closeNanos() / 2, UNHINDERED_NANOS_MAX);
        if (close.ranNanos() >= earlyNanos
                || history.machines.isTroubled(close.by.machine, close.calledNanos, close.answeredNanos)) {
            return;
        }
        for (WriterLog writer : history.writers()) {
            WriterLog.Version left = close.by.isWriter(writer.name) ? writer.at(close.answeredNanos) : null;
            WriterRow row = left == null ? null : left.row();
            if (row != null && row.sessionNanos() != null && keepsAny(writer, close.answeredNanos)) {
                violations.add(
                        G7,
                        close.answeredNanos,
                        null,
                        "%s was closed, nothing was in its way, and the session of %s goes on",
                        close.by,
                        writer.name);
            }
        }
    }

    /** A session that keeps nothing may be one of which its engine does not know, since the answer to its beginning was lost. */
    private boolean keepsAny(WriterLog writer, long atNanos) {
        return history.tenures.stream()
                .anyMatch(tenure -> tenure.isOfSession()
                        && tenure.writer.equals(writer.name)
                        && tenure.begun.atNanos <= atNanos
                        && tenure.endedNanos() > atNanos);
    }
}
