package dev.leasehold.simulator.report;

import dev.leasehold.simulator.mutants.MutantNote;
import dev.leasehold.simulator.plan.PlanCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes all that is to be said about a finding into one folder. */
public final class ReportFolder {

    private static final String PLAN = "plan.json";
    private static final String MINIMAL = "minimal.json";

    private ReportFolder() {}

    /** Whether a report about a plan that was kept would be written over it, or beside a shrunk plan of something else. */
    public static boolean isTaken(Path folder, Path keptPlan) throws IOException {
        Path plan = folder.resolve(PLAN);
        return Files.exists(folder.resolve(MINIMAL)) || Files.exists(plan) && Files.isSameFile(plan, keptPlan);
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
        file(folder, "timeline.html", Timeline.html(finding));
        file(folder, "events.txt", EventText.of(finding.history()));
        file(folder, PLAN, MutantNote.with(PlanCodec.toJson(finding.drawn()), finding.mutant()));
        if (finding.shrunk()) {
            String minimal = PlanCodec.toJson(finding.history().plan());
            file(folder, MINIMAL, MutantNote.with(minimal, finding.mutant()));
        }
        file(folder, "stats.json", finding.statistics().json(seconds));
        file(folder, RegressionTest.CLASS_NAME + ".java", RegressionTest.text(finding));
    }

    private static void file(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }
}
