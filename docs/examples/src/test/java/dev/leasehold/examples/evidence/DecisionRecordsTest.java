package dev.leasehold.examples.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Decisions stay short and complete, the index lists each of them, and the evidence that they name exists. */
class DecisionRecordsTest {

    private static final Path PAGES = Repository.ROOT.resolve("docs").resolve("decisions");

    private static final int WORDS = 300;
    private static final String REJECTED = "**Rejected.** ";
    private static final List<String> PARTS =
            List.of("**Context.** ", "**Decision.** ", "**Cost.** ", "**Evidence.** ");
    private static final Pattern INDEX_LINE = Pattern.compile("- \\[(\\d+)]\\((\\S+)\\) (.+)");
    private static final Pattern HEADING = Pattern.compile("## <a id=\"(\\d+)\"></a>(\\d+)\\. (.+)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    @Test
    void indexListsEveryDecisionOnceWithItsTitle() throws IOException {
        List<String> listed = new ArrayList<>();
        for (String line : Files.readAllLines(PAGES.resolve("README.md"))) {
            Matcher entry = INDEX_LINE.matcher(line);
            if (entry.matches()) {
                listed.add("%s %s %s".formatted(entry.group(1), entry.group(2), entry.group(3)));
            }
        }
        // In the order of the pages, where a later decision stands beside those that it belongs to.
        assertThat(listed)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(
                        decisions().stream().map(Decision::indexed).toList());
    }

    @Test
    void numbersHaveNoGap() throws IOException {
        List<Decision> decisions = decisions();
        assertThat(decisions.stream().map(Decision::number).sorted())
                .isNotEmpty()
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, decisions.size()).boxed().toList());
    }

    @Test
    void decisionHasItsPartsAndIsShort() throws IOException {
        for (Decision decision : decisions()) {
            assertThat(decision.text().split("\\s+")).as(decision.toString()).hasSizeLessThanOrEqualTo(WORDS);
            List<String> paragraphs = new ArrayList<>(
                    Stream.of(decision.text().strip().split("\n\n")).toList());
            assertThat(paragraphs).as(decision.toString()).hasSizeGreaterThan(1);
            // Only a decision that a reader will ask about tells what was rejected.
            if (paragraphs.get(1).startsWith(REJECTED)) {
                paragraphs.remove(1);
            }
            assertThat(paragraphs).as(decision.toString()).hasSameSizeAs(PARTS);
            for (int i = 0; i < PARTS.size(); i++) {
                assertThat(paragraphs.get(i)).as(decision.toString()).startsWith(PARTS.get(i));
            }
        }
    }

    @Test
    void evidenceOfEveryDecisionExists() throws IOException {
        NamedEvidence existing = NamedEvidence.ofTheRepository();
        List<String> missing = new ArrayList<>();
        for (Decision decision : decisions()) {
            String text = decision.text();
            Matcher name = CODE.matcher(text.substring(text.indexOf("**Evidence.**")));
            int named = 0;
            while (name.find()) {
                named++;
                if (!existing.has(name.group(1))) {
                    missing.add(decision.number() + ": " + name.group(1));
                }
            }
            assertThat(named).as("evidence named by " + decision).isPositive();
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void whatDoesNotExistIsNoEvidence() throws IOException {
        NamedEvidence existing = NamedEvidence.ofTheRepository();

        assertThat(List.of("DecisionRecordsTest#decisionHasItsPartsAndIsShort", "OP-4", "lease/m-ge"))
                .allMatch(existing::has);
        assertThat(List.of("DecisionRecordsTest#other", "OtherTest", "no-such-plan", "OP-999", "lease/no-such-run"))
                .noneMatch(existing::has);
    }

    private static List<Decision> decisions() throws IOException {
        List<Decision> decisions = new ArrayList<>();
        try (Stream<Path> files = Files.list(PAGES)) {
            for (Path page : files.sorted().toList()) {
                if (!page.getFileName().toString().equals("README.md")) {
                    decisions.addAll(decisions(page));
                }
            }
        }
        return decisions;
    }

    private static List<Decision> decisions(Path page) throws IOException {
        String name = page.getFileName().toString();
        List<Decision> decisions = new ArrayList<>();
        for (String section : Files.readString(page).split("\n(?=## )")) {
            if (section.startsWith("## ")) {
                int end = section.indexOf('\n');
                Matcher heading = HEADING.matcher(section.substring(0, end));
                assertThat(heading.matches())
                        .as(name + ": " + section.substring(0, end))
                        .isTrue();
                assertThat(heading.group(1)).as("anchor in " + name).isEqualTo(heading.group(2));
                decisions.add(new Decision(
                        Integer.parseInt(heading.group(2)), name, heading.group(3), section.substring(end)));
            }
        }
        assertThat(decisions).as("decisions of " + name).isNotEmpty();
        return decisions;
    }

    /** One section of a page. */
    private record Decision(int number, String page, String title, String text) {

        /** As the index has it: number, link and title. */
        String indexed() {
            return number + " " + page + "#" + number + " " + title;
        }

        @Override
        public String toString() {
            return number + " in " + page;
        }
    }
}
