package dev.leasehold.simulator.report;

import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.MutantNote;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is to be said about a history, to be written into a folder.
 *
 * @param violation of the invariant that was broken; null when all were held
 * @param mutant of the engine; null for the engine as it is
 * @param drawn the plan as it was found
 * @param shrunk whether the history is that of its shrunk form
 * @param history of the shrunk plan, or else of the plan
 * @param verdict about that history
 * @param statistics of all histories until this one was found
 * @param command the command line that repeats it
 */
public record Report(
        @Nullable Violation violation,
        @Nullable Mutant mutant,
        Plan drawn,
        boolean shrunk,
        History history,
        Verdict verdict,
        Statistics statistics,
        String command) {

    private static final String PAGE = "timeline.html";
    private static final String EVENTS = "events.txt";
    private static final String PLAN = "plan.json";
    private static final String MINIMAL = "minimal.json";
    private static final String FIGURES = "stats.json";

    /** About a plan that was kept. */
    public static Report ofKeptPlan(
            @Nullable Violation violation, @Nullable Mutant mutant, History history, Verdict verdict, String command) {
        Statistics statistics = new Statistics();
        statistics.add(history, verdict);
        return new Report(violation, mutant, history.plan(), false, history, verdict, statistics, command);
    }

    String title() {
        return violation == null ? "Every invariant held" : violation.guarantee() + " was broken";
    }

    /** Whether a report in that folder would be written over that file, by whichever name or link. */
    public static boolean replaces(Path file, Path folder) throws IOException {
        for (String name : List.of(PAGE, EVENTS, PLAN, MINIMAL, FIGURES)) {
            Path written = folder.resolve(name);
            if (Files.exists(written) && Files.isSameFile(written, file)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the folder has a shrunk plan. It would be that of something else, once a plan that was kept is reported there. */
    public static boolean hasMinimalPlan(Path folder) {
        return Files.exists(folder.resolve(MINIMAL));
    }

    /**
     * Writes the folder, which is made if it is not there. Files of a report that is there already are replaced, and none is deleted.
     *
     * @param seconds how long the search for it took; 0 when that is not known
     * @throws IOException if a file cannot be written
     */
    public void write(Path folder, double seconds) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(PAGE), Timeline.html(this));
        Files.writeString(folder.resolve(EVENTS), EventText.of(history));
        Files.writeString(folder.resolve(PLAN), MutantNote.with(PlanCodec.toJson(drawn), mutant));
        if (shrunk) {
            Files.writeString(folder.resolve(MINIMAL), MutantNote.with(PlanCodec.toJson(history.plan()), mutant));
        }
        Files.writeString(folder.resolve(FIGURES), statistics.json(seconds));
    }
}
