package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.plan.Plan;

/** Plays a plan that somebody kept. */
public final class Replay {

    private Replay() {}

    /**
     * Plays it, judges what happened, and plays it again to see that the same happens. Blocks until that is done.
     *
     * @param bench on which its plans are not used
     */
    public static Played of(Bench bench, Plan plan) throws InterruptedException {
        return Task.await("replay", () -> {
            try (Player player = new Player(bench)) {
                return player.play(0, plan, true);
            }
        });
    }
}
