package dev.leasehold.simulator.report;

import dev.leasehold.simulator.mutants.MutantNote;
import dev.leasehold.simulator.plan.PlanCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes all that is to be said about a finding into one folder. */
public final class ReportFolder {

    private static final String PAGE = "timeline.html";
    private static final String EVENTS = "events.txt";
    private static final String PLAN = "plan.json";
    private static final String MINIMAL = "minimal.json";
    private static final String FIGURES = "stats.json";
    private static final String TEST = RegressionTest.CLASS_NAME + ".java";

    private ReportFolder() {}

    /** Whether a report in that folder would be written over that file, by whichever name or link. */
    public static boolean isReplaced(Path file, Path folder) throws IOException {
        for (String name : List.of(PAGE, EVENTS, PLAN, MINIMAL, FIGURES, TEST)) {
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
     * @param folder where to
     * @param finding about what
     * @param seconds how long the search for it took; 0 when that is not known
     * @throws IOException if a file cannot be written
     */
    public static void write(Path folder, Finding finding, double seconds) throws IOException {
        Files.createDirectories(folder);
        file(folder, PAGE, Timeline.html(finding));
        file(folder, EVENTS, EventText.of(finding.history()));
        file(folder, PLAN, MutantNote.with(PlanCodec.toJson(finding.drawn()), finding.mutant()));
        if (finding.shrunk()) {
            String minimal = PlanCodec.toJson(finding.history().plan());
            file(folder, MINIMAL, MutantNote.with(minimal, finding.mutant()));
        }
        file(folder, FIGURES, finding.statistics().json(seconds));
        file(folder, TEST, RegressionTest.text(finding));
    }

    private static void file(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }
}
