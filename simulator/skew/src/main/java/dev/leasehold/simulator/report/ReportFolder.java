package dev.leasehold.simulator.report;

import dev.leasehold.simulator.bugs.BugNote;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes all that is to be said about a finding into one folder. */
public final class ReportFolder {

    private ReportFolder() {}

    /**
     * Writes the folder, which is made if it is not there. Files of a report that is there already are replaced.
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
        file(folder, "plan.json", BugNote.with(finding.planJson(), finding.bug()));
        if (finding.minimalPlanJson() == null) {
            Files.deleteIfExists(folder.resolve("minimal.json"));
        } else {
            file(folder, "minimal.json", BugNote.with(finding.minimalPlanJson(), finding.bug()));
        }
        file(folder, "stats.json", finding.statistics().json(seconds));
        file(folder, RegressionTest.CLASS_NAME + ".java", RegressionTest.text(finding));
    }

    private static void file(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }
}
