package dev.leasehold.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.story.ChildJvm;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the story as a user does, and looks at what it printed. */
@WithReplicaSet
class EnvironmentStoryIT {

    private static final int LINE_LENGTH_MAX = 100;

    @Test
    void itIsToldToItsEnd(ReplicaSet set, @TempDir Path folder) throws Exception {
        ChildJvm run = ChildJvm.run(EnvironmentStory.class, folder, Map.of("LEASEHOLD_MONGODB_URI", set.uri()));

        assertThat(run.exitStatus()).as("%s%n%s", run.out(), run.err()).isZero();
        String story = run.out().replaceAll("\\s+", " ");
        Matcher safe = Pattern.compile("is held by 'A' under token ([0-9]+)").matcher(story);
        assertThat(safe.find()).as(story).isTrue();
        long next = Long.parseLong(safe.group(1)) + 1;
        assertThat(story)
                .containsPattern("A granted FREE [0-9:.]+ A safe beside \\[] [0-9:.]+ A is frozen")
                .containsPattern("B granted EXPIRED")
                .containsPattern("A too late Lease 'staging' [^.]*: it is held by 'B', token " + next)
                .containsPattern("A held false [0-9:.]+ A closed")
                .containsPattern("C refused environment 'staging' is in use: lease 'staging' is held by 'B'")
                .containsPattern("B closed [0-9:.]+ C granted FREE [0-9:.]+ C unsafe beside \\[VERIFICATION]")
                .containsPattern("B's alone: \\{[^}]*}, \"environment\": \"staging\", \"action\": \"verification\"}");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= LINE_LENGTH_MAX);
        assertThat(run.err().lines()).allMatch(line -> line.startsWith("leasehold: "));
    }

    @Test
    void aStoryThatIsInterruptedLeavesNoFrozenProcess(ReplicaSet set) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EnvironmentStory.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("LEASEHOLD_MONGODB_URI", set.uri());
        Process story = builder.start();
        List<ProcessHandle> instances = List.of();
        try (BufferedReader told = story.inputReader()) {
            assertThat(told.lines().anyMatch(line -> line.contains("is frozen before")))
                    .isTrue();
            instances = story.descendants().toList();
            assertThat(instances).hasSizeGreaterThanOrEqualTo(3);

            story.destroy();

            for (ProcessHandle instance : instances) {
                assertThat(instance.onExit()).succeedsWithin(Duration.ofSeconds(60));
            }
        } finally {
            story.destroyForcibly();
            instances.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
