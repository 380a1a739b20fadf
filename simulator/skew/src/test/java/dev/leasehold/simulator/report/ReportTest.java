package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.plan.PlanCodec;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a report. */
class ReportTest {

    @TempDir
    Path temporary;

    @Test
    void theFolderHasEverything() throws IOException {
        Path folder = temporary.resolve("a").resolve("b");
        Report finding = Reports.overlap("holder-0", "holder-1");
        finding.write(folder, 2);

        assertThat(folder.resolve("plan.json")).hasContent(PlanCodec.toJson(finding.drawn()));
        assertThat(folder.resolve("minimal.json"))
                .hasContent(PlanCodec.toJson(finding.history().plan()));
        assertThat(folder.resolve("events.txt")).hasContent(EventText.of(finding.history()));
        assertThat(folder.resolve("stats.json")).content().contains("\"seconds\" : 2.0");
        assertThat(folder.resolve("timeline.html")).content().endsWith("</html>\n");
    }

    @Test
    void nothingOfAnEarlierReportIsDeleted() throws IOException {
        Report finding = Reports.overlap("holder-0", "holder-1");
        finding.write(temporary, 2);
        Reports.good().write(temporary, 2);

        assertThat(temporary.resolve("minimal.json"))
                .hasContent(PlanCodec.toJson(finding.history().plan()));
        assertThat(temporary.resolve("timeline.html")).content().contains("Every invariant held");
    }
}
