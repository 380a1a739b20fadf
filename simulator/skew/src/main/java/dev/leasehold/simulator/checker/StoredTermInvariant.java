package dev.leasehold.simulator.checker;

import org.jspecify.annotations.Nullable;

/**
 * G7: others wait for what is stored, so nobody stores more than was asked for: a term lasts, from its stamp, for no longer than the longest
 * that was asked of its engine, or than what was promised before, carried over to the clock of the engine that writes now.
 */
final class StoredTermInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        if (!AvailabilityInvariant.isJudged(history)) {
            return;
        }
        for (LeaseLog lease : history.leases()) {
            for (Tenure tenure : lease.tenures()) {
                Tenure.@Nullable Write before = null;
                for (Tenure.Write write : tenure.writes()) {
                    if (write.expiryNanos() != null) {
                        check(history, tenure, write, write.expiryNanos() - write.writtenNanos(), before, violations);
                    }
                    before = write;
                }
            }
        }
    }

    private static void check(
            Model history,
            Tenure tenure,
            Tenure.Write write,
            long storedNanos,
            Tenure.@Nullable Write before,
            Violations violations) {
        long owedNanos = before == null || before.expiryNanos() == null
                ? 0
                : history.bounds().outlivedNanos(before.expiryNanos() - before.writtenNanos()) + 1;
        for (Call call : tenure.lease().calls()) {
            if (call.by() == write.by()
                    && call.asksForTerm()
                    && call.calledNanos() <= write.commit().atNanos()) {
                owedNanos = Math.max(owedNanos, call.operation().durationNanos());
            }
        }
        if (storedNanos > owedNanos) {
            violations.add(
                    Guarantee.G7,
                    write.commit().atNanos(),
                    tenure.held().lease(),
                    write.by() + " stored at " + Words.seconds(write.commit().atNanos()) + " that "
                            + Words.holder(tenure.held()) + " has the lease for " + Words.seconds(storedNanos)
                            + ", nobody had asked for more than " + Words.seconds(owedNanos)
                            + ", and others have to wait for the end");
        }
    }
}
