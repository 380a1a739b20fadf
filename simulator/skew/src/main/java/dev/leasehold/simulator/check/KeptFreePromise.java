package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of G3 about leases that were to be had for at least a time: once the engine that had one has released it, nobody begins the
 * next tenure before that engine's clock has run for that time since the acquisition. While its machine is suspended a clock that stops counts as one that runs.
 */
final class KeptFreePromise {

    private final Findings findings;

    KeptFreePromise(Findings findings) {
        this.findings = findings;
    }

    void judge(LeaseTimeline lease) {
        if (lease.isDamaged()) {
            return;
        }
        Tenure before = null;
        for (int i = 0; i < lease.tenures().size(); i++) {
            Tenure tenure = lease.tenures().get(i);
            if (!tenure.begun().isRolledBack()) {
                if (before != null) {
                    judge(lease, before, tenure);
                }
                before = tenure;
            }
        }
    }

    private void judge(LeaseTimeline lease, Tenure before, Tenure next) {
        Commit ended = before.ended();
        Life life = before.begun().life();
        if (ended == null
                || life == null
                || ended.life() != life
                || before.end() != Tenure.End.GIVEN_UP
                || !lease.isVacatedBy(ended)
                || isFreedByCallers(lease, before, next)) {
            return;
        }
        Call first = acquisition(before, life);
        if (first == null) {
            return;
        }
        long atLeastNanos = first.operation().atLeastNanos();
        long elapsedNanos = life.elapsedNanos(first.calledNanos(), next.begun().atNanos())
                + life.suspendedNanos(first.calledNanos(), next.begun().atNanos());
        if (elapsedNanos < atLeastNanos) {
            findings.violationInside(
                    Promise.G3,
                    next.begun().atNanos(),
                    lease.name(),
                    Words.holder(before.held()) + " was to have the lease for at least "
                            + Words.seconds(atLeastNanos) + " by " + first + " of "
                            + Words.seconds(first.calledNanos()) + ", released it at "
                            + Words.seconds(ended.atNanos()) + ", and "
                            + next.begun().who() + " took it at "
                            + Words.seconds(next.begun().atNanos()));
        }
    }

    /** That with the shortest time, if several handles were handed out; null if one of them asked for none. */
    private static @Nullable Call acquisition(Tenure tenure, Life life) {
        Call shortest = null;
        List<Call> grants = tenure.grants();
        for (int i = 0; i < grants.size(); i++) {
            Call grant = grants.get(i);
            if (grant.kind() == Kind.ACQUIRE && grant.life() == life) {
                if (grant.operation().atLeastNanos() == 0) {
                    return null;
                }
                boolean isShorter = shortest == null
                        || grant.operation().atLeastNanos()
                                < shortest.operation().atLeastNanos();
                shortest = isShorter ? grant : shortest;
            }
        }
        return shortest;
    }

    /** A caller who releases the tenure itself, and an operator, free the lease at once. */
    private static boolean isFreedByCallers(LeaseTimeline lease, Tenure before, Tenure next) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            boolean releases = call.kind() == Kind.RELEASE
                    && call.operation().tenure() != null
                    && before.isOf(call.operation().tenure());
            boolean orders = call.kind() == Kind.FORCE_EXPIRE
                    && (call.isOpen() || call.lastWordNanos() >= before.begun().atNanos());
            if ((releases || orders) && call.calledNanos() <= next.begun().atNanos()) {
                return true;
            }
        }
        return false;
    }
}
