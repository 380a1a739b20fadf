package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;

/** G1: a successful claim stays good. */
final class ClaimPromise {

    private final TermPromise term;

    ClaimPromise(Findings findings) {
        this.term = new TermPromise(Promise.G1, findings);
    }

    void judge(LeaseTimeline lease) {
        for (int i = 0; i < lease.tenures().size(); i++) {
            Tenure tenure = lease.tenures().get(i);
            List<Call> grants = tenure.grants();
            for (int j = 0; j < grants.size(); j++) {
                if (grants.get(j).kind() != Kind.EXTEND) {
                    term.judge(tenure, grants.get(j));
                }
            }
        }
    }
}
