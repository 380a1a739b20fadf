package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test that a report comes with. */
class RegressionTestTest {

    @TempDir
    Path folder;

    /** Compiles a report's test as a user would, and reads the plan out of it. */
    private String planIn(String source) throws Exception {
        Path file = folder.resolve("MinimalPlanTest.java");
        Files.writeString(file, source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("java.class.path");
        int errors = compiler.run(
                null, null, null, "-proc:none", "-d", folder.toString(), "-cp", classPath, file.toString());
        assertThat(errors).isZero();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            Field plan =
                    loader.loadClass("dev.leasehold.simulator.MinimalPlanTest").getDeclaredField("PLAN");
            plan.setAccessible(true);
            return (String) plan.get(null);
        }
    }

    private static Finding of(String json) {
        return of(null, json);
    }

    private static Finding of(@Nullable Mutant mutant, String json) {
        Finding finding = Findings.overlap("*/ <b>\\u0022 @holder", "holder-1");
        return new Finding(
                finding.guarantee(),
                mutant,
                json,
                null,
                finding.history(),
                finding.verdict(),
                finding.statistics(),
                finding.command());
    }

    @Test
    void theTestCompilesAndHasThePlan() throws Exception {
        Plan plan = PlanGenerator.draw(Profile.SWARM, 3, 1_000);

        assertThat(PlanCodec.fromJson(planIn(RegressionTest.text(of(PlanCodec.toJson(plan))))))
                .isEqualTo(plan);
    }

    @Test
    void aMutantIsTakenByTheTestToo() throws Exception {
        String source = RegressionTest.text(of(Mutants.canary(), "{}"));

        assertThat(source).contains("EngineRunners.runner(Mutants.named(\"canary\"))");
        assertThat(planIn(source)).isEqualToIgnoringNewLines("{}");
    }

    @Test
    void quotesAndBackslashesStayWhatTheyAre() throws Exception {
        String json = "{\n  \"a\": \"\\\\ \\\"\\\"\\\"\",\n  \"b\": \"\\u0041\"\n}";

        assertThat(planIn(RegressionTest.text(of(json)))).isEqualToIgnoringNewLines(json);
    }

    @Test
    void itSaysWhatWasBroken() {
        assertThat(RegressionTest.text(of("{}")))
                .contains("// T2: */ <b>/u0022 @holder")
                .contains("allPromisesAreHeld");
    }
}
