package dev.leasehold.examples.globallock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.story.ChildJvm;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the story as a user does, and looks at what it printed. */
@WithReplicaSet
class GlobalLockStoryIT {

    private static final int LINE_LENGTH_MAX = 100;

    @Test
    void itIsToldToItsEnd(ReplicaSet set, @TempDir Path folder) throws Exception {
        ChildJvm run = ChildJvm.run(GlobalLockStory.class, folder, Map.of("LEASEHOLD_MONGODB_URI", set.uri()));

        assertThat(run.exitStatus()).as("%s%n%s", run.out(), run.err()).isZero();
        String story = run.out().replaceAll("\\s+", " ");
        Matcher granted =
                Pattern.compile("first has the lock for 3 s: token ([0-9]+)").matcher(story);
        assertThat(granted.find()).as(story).isTrue();
        long first = Long.parseLong(granted.group(1));
        long second = first + 1;
        assertThat(story)
                .containsPattern("first asks again, which renews: token " + first)
                .containsPattern("second has the lock, [0-9.]+s after it asked again: token " + second)
                .containsPattern(
                        "token " + first + " is not valid any more [0-9:.]+ first token " + second + " is valid")
                .containsPattern("first writes report.txt under token " + first + ": the file store refuses it")
                .containsPattern("first writes the object under token " + first + ": refused")
                .containsPattern("both have it");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= LINE_LENGTH_MAX);
        assertThat(run.err().lines()).allMatch(line -> line.startsWith("leasehold: "));
    }
}
