package dev.leasehold.examples.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sources speak of an engine, a process or a client as of a thing: it releases a lease, and is no "who" that gives it up. */
class ProcessesAreNoPeopleTest {

    private static final Path MAIN = Path.of("src", "main", "java");

    private static final List<String> MODULES = List.of(
            "engine/tools/operator/", "engine/tools/merge-queue/", "simulator/bench/", "simulator/replica-set/");

    private static final Pattern PEOPLE =
            Pattern.compile("\\b(?:[Ww]ho|[Ww]hoever|[Ww]hom|[Nn]obody|[Ss]omebody|[Aa]nybody"
                    + "|[Gg]ive up|[Gg]ives up|[Gg]ave up|[Gg]iven up|[Gg]iving up)\\b");

    /** A user of the operating system. */
    private static final Pattern ACCOUNT = Pattern.compile("\\{@code nobody}|\"nobody\"");

    @Test
    @DisplayName("Comments and messages of services, tools and test modules tell of processes as of things")
    void processesAreNoPeople() throws IOException {
        List<String> found = new ArrayList<>();
        int files = 0;
        for (Path file : Repository.files()) {
            String name = Repository.ROOT.relativize(file).toString().replace('\\', '/');
            if (name.endsWith(".java")
                    && Repository.isBelow(file, MAIN)
                    && MODULES.stream().anyMatch(name::startsWith)) {
                files++;
                found.addAll(peopleIn(name, Files.readAllLines(file)));
            }
        }

        assertThat(files).isGreaterThan(300);
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName("The check finds such words in comments and in texts, and leaves the account of that name alone")
    void theCheckFindsWhatItIsFor() {
        List<String> lines = List.of(
                "/** Whoever asks first. */",
                "\"it gave up the lease\"",
                "Requester.ANYBODY, whose leases",
                "String account = \"nobody\";",
                "// nobody waits");

        assertThat(peopleIn("A.java", lines))
                .containsExactly("A.java:1: Whoever", "A.java:2: gave up", "A.java:5: nobody");
    }

    private static List<String> peopleIn(String file, List<String> lines) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            int number = i + 1;
            PEOPLE.matcher(ACCOUNT.matcher(lines.get(i)).replaceAll(""))
                    .results()
                    .forEach(word -> found.add(file + ":" + number + ": " + word.group()));
        }
        return found;
    }
}
