package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.G9;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * G9: at most one transaction with the record of one occurrence of a lease commits, as long as that record is stored. A transaction that
 * does the work of an occurrence commits with its record, which names the tenure that was asserted. "Done before" needs a record that a
 * majority had by then; a look that finds none was not answered after a majority had one.
 */
record OccurrenceInvariant(Model history, Violations violations) {

    private record Occurrence(String lease, String name) {

        @Override
        public String toString() {
            return "occurrence " + name + " of " + lease;
        }
    }

    void check() {
        Map<Occurrence, Commit> stored = new HashMap<>();
        Map<Occurrence, Commit> first = new HashMap<>();
        for (Commit commit : history.commits) {
            Set<Occurrence> written = new HashSet<>();
            for (Change change : commit.event.changes()) {
                if (change instanceof Change.OfOccurrence record) {
                    Occurrence occurrence = new Occurrence(record.lease(), record.occurrence());
                    if (record.holder() == null) {
                        stored.remove(occurrence);
                    } else {
                        written.add(occurrence);
                        checkRecord(commit, occurrence, record, stored.put(occurrence, commit));
                        first.putIfAbsent(occurrence, commit);
                    }
                }
            }
            checkWork(commit, written);
        }
        history.calls.values().forEach(call -> checkTold(call, first));
    }

    private void checkRecord(
            Commit commit, Occurrence occurrence, Change.OfOccurrence record, @Nullable Commit before) {
        if (before != null) {
            String what = "%s recorded %s, which %s had recorded";
            violations.add(G9, commit.atNanos, occurrence.lease(), what, commit, occurrence, before);
        }
        HeldTenure meant = commit.author.meant();
        if (meant != null
                && (!meant.lease().equals(record.lease())
                        || !meant.holder().equals(record.holder())
                        || meant.token() != record.token())) {
            String what = "%s recorded %s for another tenure than %s";
            violations.add(G9, commit.atNanos, occurrence.lease(), what, commit, occurrence, meant);
        }
    }

    /** Work without its record can be done twice, and nothing would show it. */
    private void checkWork(Commit commit, Set<Occurrence> written) {
        Call call = commit.author.meant() == null ? null : history.calls.get(commit.author.call());
        Occurrence meant = call == null ? null : occurrence(call);
        if (meant != null && !written.contains(meant)) {
            violations.add(G9, commit.atNanos, meant.lease(), "%s did %s without the record", commit, meant);
        }
    }

    private void checkTold(Call call, Map<Occurrence, Commit> first) {
        Occurrence occurrence = occurrence(call);
        if (occurrence == null) {
            return;
        }
        Commit record = first.get(occurrence);
        if (isToldDone(call) && (record == null || !record.isSureAt(call.answeredNanos))) {
            violations.add(G9, call, "that %s is done, which no majority had by then,", occurrence);
        } else if (call.kind() == Kind.FIND_OCCURRENCE
                && call.isAnsweredFor(Answer.NOT_DONE)
                && record != null
                && record.isSureAt(call.calledNanos - 1)) {
            violations.add(G8, call, "that %s is not done, which %s had done before,", occurrence, record);
        }
    }

    private static boolean isToldDone(Call call) {
        return call.isAnsweredFor(Answer.DONE_BEFORE)
                || call.kind() == Kind.FIND_OCCURRENCE && call.isAnswered(Answer.Kind.YES);
    }

    private static @Nullable Occurrence occurrence(Call call) {
        String lease = call.lease();
        String name = call.operation.occurrence();
        return lease == null || name == null ? null : new Occurrence(lease, name);
    }
}
