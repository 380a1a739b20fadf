package dev.leasehold.examples.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Records of decisions stay short and complete, and the evidence that they name exists. */
class DecisionRecordsTest {

    private static final Path RECORDS = Repository.ROOT.resolve("docs").resolve("decisions");

    private static final int WORDS = 150;
    private static final List<String> PARTS =
            List.of("**Context.** ", "**Decision.** ", "**Cost.** ", "**Evidence.** ");
    private static final Pattern INDEX_LINE = Pattern.compile("- \\[(\\d{4})]\\((\\S+)\\) (.+)");
    private static final Pattern TITLE = Pattern.compile("# (\\d+)\\. (.+)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    @Test
    void indexListsEveryRecordOnceWithItsTitle() throws IOException {
        List<String> expected = new ArrayList<>();
        for (Path record : records()) {
            Matcher title = TITLE.matcher(Files.readAllLines(record).get(0));
            assertThat(title.matches()).as(record.toString()).isTrue();
            assertThat(Integer.parseInt(title.group(1))).as(record.toString()).isEqualTo(expected.size() + 1);
            expected.add(String.format(
                    Locale.ROOT, "%04d %s %s", expected.size() + 1, record.getFileName(), title.group(2)));
        }
        List<String> listed = new ArrayList<>();
        for (String line : Files.readAllLines(RECORDS.resolve("README.md"))) {
            Matcher entry = INDEX_LINE.matcher(line);
            if (entry.matches()) {
                listed.add("%s %s %s".formatted(entry.group(1), entry.group(2), entry.group(3)));
            }
        }
        // By subject, so that a later record stands beside those that it belongs to.
        assertThat(listed).isNotEmpty().containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void recordHasFourPartsAndIsShort() throws IOException {
        for (Path record : records()) {
            String text = Files.readString(record);
            assertThat(text.split("\\s+")).as(record.toString()).hasSizeLessThanOrEqualTo(WORDS);
            List<String> paragraphs = Stream.of(text.split("\n\n")).skip(1).toList();
            assertThat(paragraphs).as(record.toString()).hasSameSizeAs(PARTS);
            for (int i = 0; i < PARTS.size(); i++) {
                assertThat(paragraphs.get(i)).as(record.toString()).startsWith(PARTS.get(i));
            }
        }
    }

    @Test
    void evidenceOfEveryRecordExists() throws IOException {
        NamedEvidence existing = NamedEvidence.ofTheRepository();
        List<String> missing = new ArrayList<>();
        for (Path record : records()) {
            String text = Files.readString(record);
            Matcher name = CODE.matcher(text.substring(text.indexOf("**Evidence.**")));
            int named = 0;
            while (name.find()) {
                named++;
                if (!existing.has(name.group(1))) {
                    missing.add(record.getFileName() + ": " + name.group(1));
                }
            }
            assertThat(named).as("evidence named by " + record).isPositive();
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void whatDoesNotExistIsNoEvidence() throws IOException {
        NamedEvidence existing = NamedEvidence.ofTheRepository();

        assertThat(List.of("DecisionRecordsTest#recordHasFourPartsAndIsShort", "OP-4", "lease/m-ge"))
                .allMatch(existing::has);
        assertThat(List.of("DecisionRecordsTest#other", "OtherTest", "no-such-plan", "OP-999", "lease/no-such-run"))
                .noneMatch(existing::has);
    }

    private static List<Path> records() throws IOException {
        try (Stream<Path> files = Files.list(RECORDS)) {
            return files.filter(file -> !file.getFileName().toString().equals("README.md"))
                    .sorted()
                    .toList();
        }
    }
}
