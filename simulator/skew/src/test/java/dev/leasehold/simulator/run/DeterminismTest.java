package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.simulator.plan.PlanCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same plan makes the same history, event by event. Since the file is the same for all, it is also what a build on one JDK has in
 * common with a build on another.
 */
@Tag("long")
class DeterminismTest {

    private static final Path FILE = Path.of("src", "test", "resources", "dev", "leasehold", "simulator", "hashes.txt");
    private static final String RENEW = "leasehold.hashes.renew";

    private static final List<String> HASHES = HistoryHashes.lines(plan -> plan);

    @Test
    void historiesAreThoseThatWereWrittenDown() throws IOException {
        if (Boolean.getBoolean(RENEW)) {
            Files.write(FILE, HASHES);
            fail("the hashes were written to " + FILE + "; now build without -D" + RENEW);
        }
        assertThat(HASHES)
                .as(
                        "Histories differ from those of %s. If only on one JDK, the engine or the simulator depends on it, which is a mutant."
                                + " If it comes from a change of what they do, write down the new ones: mvn -q -B -pl simulator/skew -am test"
                                + " -Dtest=DeterminismTest -Dsurefire.failIfNoSpecifiedTests=false -D%s=true",
                        FILE, RENEW)
                .isEqualTo(Files.readAllLines(FILE));
    }

    @Test
    void aPlanThatWasReadFromAFileMakesTheSameHistoryOnceMore() {
        assertThat(HistoryHashes.lines(plan -> PlanCodec.fromJson(PlanCodec.toJson(plan))))
                .isEqualTo(HASHES);
    }

    @Test
    void anotherJvmMakesTheSameHistories() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HistoryHashes.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> hashes = other.inputReader().lines().toList();

        assertThat(other.waitFor()).isZero();
        assertThat(hashes).isEqualTo(HASHES);
    }
}
