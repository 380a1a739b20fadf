package dev.leasehold.simulator.campaign;

import dev.leasehold.replicaset.ClientNetwork.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Draws faults: in each round every kind once, in any order. */
final class FaultPlan {

    private static final int DURATION_MILLIS_MIN = 500;
    private static final int DURATION_MILLIS_END = 5_000;
    private static final int CALM_MILLIS_MIN = 500;
    private static final int CALM_MILLIS_END = 4_000;

    private final SplittableRandom random;
    private final List<FaultKind> kinds;
    private final List<FaultKind> round = new ArrayList<>();
    private int drawn;

    FaultPlan(SplittableRandom random, List<FaultKind> kinds) {
        this.random = random;
        this.kinds = List.copyOf(kinds);
    }

    Fault next() {
        if (round.isEmpty()) {
            round.addAll(kinds);
        }
        drawn++;
        FaultKind kind = round.remove(random.nextInt(round.size()));
        Cut[] cuts = Cut.values();
        return new Fault(
                kind,
                random.nextInt(Integer.MAX_VALUE),
                random.nextBoolean(),
                cuts[random.nextInt(cuts.length)],
                random.nextInt(DURATION_MILLIS_MIN, DURATION_MILLIS_END),
                random.nextInt(CALM_MILLIS_MIN, CALM_MILLIS_END));
    }

    /** Whether each kind was drawn at least once. */
    boolean isFirstRoundDrawn() {
        return drawn >= kinds.size();
    }
}
