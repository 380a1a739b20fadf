package dev.leasehold.simulator.checker;

/** G7: who keeps by its session what somebody else has ended hears of that: its engine does not hold it for longer than the bound. */
final class NewsInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        if (!AvailabilityInvariant.isJudged(history)) {
            return;
        }
        for (LeaseLog lease : history.leases()) {
            for (ValidityWindow window : lease.windows()) {
                Tenure tenure = lease.tenure(window.tenure());
                Commit ended = tenure == null ? null : tenure.ended();
                if (tenure != null
                        && ended != null
                        && ended.majorityNanos() < Incarnation.NEVER
                        && tenure.isOfSession()) {
                    check(history, window, ended, violations);
                }
            }
        }
    }

    private static void check(Model history, ValidityWindow window, Commit ended, Violations violations) {
        long knownNanos = Math.max(ended.majorityNanos(), history.healthyNanos())
                + history.bounds().newsNanos();
        if (knownNanos < Math.min(window.untilNanos(), history.finishedNanos())) {
            violations.add(
                    Guarantee.G7,
                    knownNanos,
                    window.tenure().lease(),
                    window.by() + " was to hear by " + Words.seconds(knownNanos) + " that " + ended + " had ended what "
                            + Words.holder(window.tenure()) + " had at " + Words.seconds(ended.atNanos())
                            + ", and held it until " + Words.seconds(window.untilNanos()));
        }
    }
}
