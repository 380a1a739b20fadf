package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import dev.leasehold.simulator.plan.History;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static Report of(@Nullable Mutant mutant, Plan plan) {
        Report finding = Reports.overlap("*/ <b>\\u0022 @holder", "holder-1");
        History history = finding.history();
        return new Report(
                finding.violation(),
                mutant,
                plan,
                true,
                new History(plan, history.events(), history.clocks(), history.steps()),
                finding.verdict(),
                finding.statistics(),
                finding.command());
    }

    private static Plan plan(String profile) {
        Plan drawn = PlanGenerator.draw(Profile.SWARM, 3, 1_000);
        return new Plan(profile, drawn.seed(), drawn.setting(), drawn.machines(), drawn.commands());
    }

    @ParameterizedTest
    @ValueSource(strings = {"swarm", "\\ \"\"\" \\u0041", "a\nb"})
    void theTestCompilesAndHasThePlan(String profile) throws Exception {
        assertThat(PlanCodec.fromJson(planIn(RegressionTest.text(of(null, plan(profile))))))
                .isEqualTo(plan(profile));
    }

    @Test
    void aMutantIsTakenByTheTestToo() throws Exception {
        String source = RegressionTest.text(of(Mutants.canary(), plan("swarm")));

        assertThat(source).contains("Mutants.runner(Mutants.named(\"canary\"))");
        assertThat(PlanCodec.fromJson(planIn(source))).isEqualTo(plan("swarm"));
    }

    @Test
    void itSaysWhatWasBroken() {
        assertThat(RegressionTest.text(of(null, plan("swarm"))))
                .contains("// T2: */ <b>/u0022 @holder")
                .contains("everyInvariantIsKept");
    }
}
