package dev.leasehold.simulator.check;

import java.util.List;

/** T2: no two holders of a lease both believe that they hold it. */
final class BeliefPromise {

    private final Findings findings;

    BeliefPromise(Findings findings) {
        this.findings = findings;
    }

    void judge(LeaseTimeline lease) {
        List<Belief> beliefs = lease.beliefs();
        for (int i = 1; i < beliefs.size(); i++) {
            Belief later = beliefs.get(i);
            for (int j = 0; j < i; j++) {
                Belief earlier = beliefs.get(j);
                if (earlier.untilNanos() - earlier.life().unseenNanos() > later.fromNanos()
                        && later.untilNanos() > later.fromNanos()
                        && !earlier.tenure().equals(later.tenure())) {
                    judge(lease, earlier, later);
                }
            }
        }
    }

    private void judge(LeaseTimeline lease, Belief one, Belief other) {
        if (!isExempt(lease, one, other.fromNanos()) && !isExempt(lease, other, other.fromNanos())) {
            findings.overlap(
                    other.fromNanos(),
                    lease.name(),
                    Words.holder(one.tenure()) + " believed on " + one.life()
                            + " that it holds the lease from " + Words.seconds(one.fromNanos()) + " to "
                            + Words.seconds(one.untilNanos()) + ", and " + Words.holder(other.tenure())
                            + " believed the same on "
                            + other.life() + " from " + Words.seconds(other.fromNanos()) + " on");
        }
    }

    private static boolean isExempt(LeaseTimeline lease, Belief belief, long atNanos) {
        Tenure tenure = lease.tenure(belief.tenure());
        return tenure != null && tenure.hasEndedBehindTheBackOf(belief.life(), atNanos);
    }
}
