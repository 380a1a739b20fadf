package dev.leasehold.simulator.run;

import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import dev.leasehold.simulator.report.EventText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Hashes of what happens in some histories of every profile. As a program of its own it prints them. */
final class HistoryHashes {

    private static final long SEEDS = 8;
    private static final long DRIFT_PPM = 1_000;

    private HistoryHashes() {}

    public static void main(String[] arguments) {
        lines(plan -> plan).forEach(System.out::println);
    }

    /**
     * Profile, seed and hash of each history.
     *
     * @param way that a plan goes before it is played
     */
    static List<String> lines(UnaryOperator<Plan> way) {
        List<String> lines = new ArrayList<>();
        try (HistoryRunner engine = new EngineRunner()) {
            for (Profile profile : Profile.values()) {
                for (long seed = 0; seed < SEEDS; seed++) {
                    History history = engine.run(way.apply(PlanGenerator.draw(profile, seed, DRIFT_PPM)));
                    lines.add(profile.word() + " " + seed + " " + Long.toHexString(EventText.fingerprint(history)));
                }
            }
        }
        return lines;
    }
}
