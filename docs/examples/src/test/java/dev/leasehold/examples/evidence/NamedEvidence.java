package dev.leasehold.examples.evidence;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a record may name as evidence: tests, their conformance numbers, mutants, kept plans and runs of the models. */
final class NamedEvidence {

    private static final Pattern DISPLAY_NAME = Pattern.compile("@DisplayName\\(\\s*\"([^\"]*)\"");
    private static final Pattern CONFORMANCE_NUMBER = Pattern.compile("\\b[A-Z]{2}-\\d+\\b");
    private static final Pattern QUOTED_WORD = Pattern.compile("\"([a-z0-9-]+)\"");
    private static final Pattern MODEL_RUN =
            Pattern.compile("(?m)^(lease|session|gate|outcome|queue|live)\\(\"([\\w-]+)\"");

    private final Map<String, String> tests = new HashMap<>();
    private final Set<String> words = new HashSet<>();

    static NamedEvidence ofTheRepository() throws IOException {
        NamedEvidence found = new NamedEvidence();
        found.addTests();
        found.addPlans();
        found.addMutants(Repository.ROOT.resolve(
                Path.of("simulator", "skew", "src", "main", "java", "dev", "leasehold", "simulator", "mutants")));
        found.addModelRuns(Files.readString(Repository.ROOT.resolve(Path.of("docs", "model", "runs.py"))));
        return found;
    }

    /** Whether there is a test, a conformance number, a mutant, a plan or a run of this name. */
    boolean has(String name) {
        String[] classAndMethod = name.split("#", -1);
        String source = tests.get(classAndMethod[0]);
        if (source == null) {
            return words.contains(name);
        }
        return classAndMethod.length == 1
                || Pattern.compile("\\b" + Pattern.quote(classAndMethod[1]) + "\\(")
                        .matcher(source)
                        .find();
    }

    private void addTests() throws IOException {
        for (Path source : Repository.testSources()) {
            addTest(Repository.className(source), Files.readString(source));
        }
    }

    private void addPlans() throws IOException {
        for (Path file : Repository.files()) {
            String name = file.getFileName().toString();
            if (Repository.pathOf(file).contains("/plans/") && name.endsWith(".json")) {
                words.add(name.substring(0, name.length() - ".json".length()));
            }
        }
    }

    private void addTest(String name, String source) {
        // Some tests of one name lie in two packages.
        tests.merge(name, source, String::concat);
        Matcher displayName = DISPLAY_NAME.matcher(source);
        while (displayName.find()) {
            Matcher number = CONFORMANCE_NUMBER.matcher(displayName.group(1));
            while (number.find()) {
                words.add(number.group());
            }
        }
    }

    private void addMutants(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
                Matcher word = QUOTED_WORD.matcher(Files.readString(file));
                while (word.find()) {
                    words.add(word.group(1));
                }
            }
        }
    }

    private void addModelRuns(String runs) {
        Matcher run = MODEL_RUN.matcher(runs);
        while (run.find()) {
            words.add(run.group(1) + "/" + run.group(2));
        }
    }
}
