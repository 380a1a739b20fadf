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

/** Sources speak of an engine, a process or a client as of a thing: it releases a lease, and is no "who" that gives it up or believes. */
class ProcessesAreNoPeopleTest {

    private static final Path MAIN = Path.of("src", "main", "java");

    /** In these nothing "gives up" either. */
    private static final List<String> STRICTER = List.of(
            "engine/tools/operator/", "engine/tools/merge-queue/", "simulator/bench/", "simulator/replica-set/");

    private static final Pattern GIVING_UP = Pattern.compile("\\b(?:[Gg]iv(?:e|es|en|ing)|[Gg]ave) up\\b");

    private static final Pattern PEOPLE = Pattern.compile(
            "\\b(?:[Ww]ho|[Ww]hoever|[Ww]hom|(?:[Nn]o|[Ss]ome|[Aa]ny|[Ee]very)body|[Ss]omeone|[Aa]nyone|[Ee]veryone)\\b"
                    + "|[a-z](?:Who(?:m|ever)?|(?:No|Some|Any|Every)body)(?=[A-Z(])|\\b(?:who|nobody|somebody)(?=[A-Z])|(?:NO|SOME|ANY|EVERY)BODY"
                    + "|\\b[Bb]eliev(?:e|es|ed|ing)(?![a-z])|[a-z]Believ(?:e|es|ed|ing)(?![a-z])");

    /** People, and a user of the operating system. */
    private static final Pattern LEFT_ALONE =
            Pattern.compile("\\b(?:people|person|operator|reader)s? who\\b" + "|\\{@code nobody}|\"nobody\"");

    @Test
    @DisplayName("Sources tell of processes as of things: in comments, in texts and in names")
    void processesAreNoPeople() throws IOException {
        List<String> found = new ArrayList<>();
        int files = 0;
        for (Path file : Repository.files()) {
            String name = Repository.ROOT.relativize(file).toString().replace('\\', '/');
            if (name.endsWith(".java") && !name.endsWith("/ProcessesAreNoPeopleTest.java")) {
                files++;
                List<String> lines = Files.readAllLines(file);
                found.addAll(found(PEOPLE, name, lines));
                if (Repository.isBelow(file, MAIN) && STRICTER.stream().anyMatch(name::startsWith)) {
                    found.addAll(found(GIVING_UP, name, lines));
                }
            }
        }

        assertThat(files).isGreaterThan(1_000);
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName(
            "The check finds such words in comments, texts and names, and leaves people and the account of that name alone")
    void theCheckFindsWhatItIsFor() {
        List<String> lines = List.of(
                "/** Whoever asks first. */",
                "\"it gave up the lease\"",
                "void aReleaseWakesThoseWhoWait() {}",
                "an operator who reads this, on a machine whose clock is wrong",
                "String account = \"nobody\";",
                "void nobodyWaits() {}",
                "// nobody waits",
                "\"its holder believes otherwise\"",
                "boolean believesIn(Tenure tenure)");

        assertThat(found(PEOPLE, "A.java", lines))
                .containsExactly(
                        "A.java:1: Whoever",
                        "A.java:3: eWho",
                        "A.java:6: nobody",
                        "A.java:7: nobody",
                        "A.java:8: believes",
                        "A.java:9: believes");
        assertThat(found(GIVING_UP, "A.java", lines)).containsExactly("A.java:2: gave up");
    }

    private static List<String> found(Pattern words, String file, List<String> lines) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            int number = i + 1;
            words.matcher(LEFT_ALONE.matcher(lines.get(i)).replaceAll(""))
                    .results()
                    .forEach(word -> found.add(file + ":" + number + ": " + word.group()));
        }
        return found;
    }
}
