package dev.leasehold.examples.names;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.Tenures;
import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a page names is there, and what a user meets is on the page for it. */
class NamesOnPagesTest {

    private static final Path DOCS = Repository.ROOT.resolve("docs");
    private static final Path FAILURES = DOCS.resolve("guide").resolve("failures.md");

    private static final Pattern EXCEPTION = Pattern.compile("(?<![\\w.])([A-Z]\\w*Exception)\\b");
    private static final Pattern CALL = Pattern.compile(
            "(?<![\\w.)])(engine|lease|election|engine\\.admin\\(\\)|admin\\(\\)|engine\\.tenures\\(\\)|[A-Z]\\w+)\\.([a-z]\\w*)");
    private static final Pattern METRIC_OR_PROPERTY = Pattern.compile("leasehold\\.(?!jar)[a-z][a-z.-]*[a-z]");

    /** The names that stand for a value on the pages. */
    private static final Map<String, Class<?>> VALUES = Map.of(
            "engine", LeaseEngine.class,
            "lease", Lease.class,
            "election", LeaderElection.class,
            "admin()", LeaseAdmin.class,
            "engine.admin()", LeaseAdmin.class,
            "engine.tenures()", Tenures.class);

    /** The tag of all meters, which without parentheses is no call of a lease. */
    private static final String TAG = "lease.namespace";

    private static final List<String> PACKAGES = List.of(
            "dev.leasehold.engine.",
            "dev.leasehold.assertions.",
            "dev.leasehold.testkit.",
            "dev.leasehold.replicaset.",
            "dev.leasehold.pekko.",
            "java.lang.",
            "java.io.",
            "java.util.",
            "java.util.concurrent.",
            "com.mongodb.");

    @Test
    void everyExceptionOnAPageExists() throws IOException {
        Set<String> declared = new HashSet<>();
        for (Path file : Repository.files()) {
            declared.add(file.getFileName().toString());
        }
        List<String> missing = new ArrayList<>();
        for (Path page : Repository.pages()) {
            found(EXCEPTION, Files.readString(page))
                    .map(match -> match.group(1))
                    .filter(name ->
                            !declared.contains(name + ".java") && type(name).isEmpty())
                    .forEach(name -> missing.add(Repository.pathOf(page) + ": " + name));
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void thePageOfFailuresHasEveryExceptionAndEveryReasonOfALoss() throws IOException {
        List<String> named = CodeSpans.of(Files.readAllLines(FAILURES));

        assertThat(named).containsAll(publicExceptions());
        assertThat(CodeSpans.inFirstColumn(Files.readAllLines(FAILURES), "## Why a lease is lost"))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(LeaseLoss.Reason.values()).map(Enum::name).toList());
    }

    private static List<String> publicExceptions() throws IOException {
        List<String> names = new ArrayList<>();
        for (String folder : List.of(
                "engine/core/src/main/java/dev/leasehold/engine",
                "assertions/src/main/java/dev/leasehold/assertions")) {
            try (Stream<Path> files = Files.list(Repository.ROOT.resolve(folder))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith("Exception.java"))
                        .forEach(name -> names.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        assertThat(names).isNotEmpty();
        return names;
    }

    @Test
    void everyMethodOnAPageExists() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path page : Repository.pages()) {
            for (String span : CodeSpans.of(Files.readAllLines(page))) {
                found(CALL, span)
                        .filter(call -> !span.equals(TAG))
                        .filter(call -> !exists(call.group(1), call.group(2)))
                        .forEach(call -> missing.add(Repository.pathOf(page) + ": " + call.group()));
            }
        }

        assertThat(missing).isEmpty();
    }

    /** What is of no type that is known here, such as a name of another library, cannot be judged. */
    private static boolean exists(String receiver, String member) {
        Optional<Class<?>> type = VALUES.containsKey(receiver) ? Optional.of(VALUES.get(receiver)) : type(receiver);
        return type.isEmpty()
                || Stream.of(type.get().getMethods())
                        .anyMatch(method -> method.getName().equals(member));
    }

    private static Optional<Class<?>> type(String name) {
        for (String folder : PACKAGES) {
            try {
                return Optional.of(Class.forName(folder + name));
            } catch (ClassNotFoundException e) {
                // Of another package, perhaps.
            }
        }
        return Optional.empty();
    }

    @Test
    void theTableOfSettingsHasThoseOfTheBuilder() throws IOException {
        assertThat(CodeSpans.inFirstColumn(
                        Files.readAllLines(DOCS.resolve("operations").resolve("settings.md")), "## The engine"))
                .containsExactlyInAnyOrderElementsOf(Stream.of(LeaseEngineBuilder.class.getMethods())
                        .filter(method -> method.getReturnType() == LeaseEngineBuilder.class
                                && !Modifier.isStatic(method.getModifiers()))
                        .map(Method::getName)
                        .toList());
    }

    @Test
    void theTableOfPekkoHasTheSettingsOfTheReference() throws IOException {
        Set<String> ofTheLease =
                ConfigFactory.parseResources("reference.conf").getConfig("leasehold.pekko").root().keySet().stream()
                        .filter(key -> !key.equals("lease-class"))
                        .collect(Collectors.toSet());
        List<String> documented = CodeSpans.inFirstColumn(Files.readAllLines(DOCS.resolve("pekko.md")), "## Settings");

        assertThat(documented)
                .containsAll(ofTheLease)
                .allSatisfy(name -> assertThat(ofTheLease.contains(name)
                                || ConfigFactory.defaultReference().hasPath("pekko.coordination.lease." + name))
                        .as(name)
                        .isTrue());
    }

    /** The tables of metrics and of Spring's properties are compared with the code in the modules that have them. */
    @Test
    void everyMetricAndPropertyOnAPageIsInItsTable() throws IOException {
        Set<String> known = new HashSet<>(Set.of("leasehold.pekko", "leasehold.leased", "leasehold.leased.active"));
        known.addAll(CodeSpans.inFirstColumn(
                Files.readAllLines(DOCS.resolve("operations").resolve("metrics.md")), "## Metrics"));
        known.addAll(CodeSpans.inFirstColumn(Files.readAllLines(DOCS.resolve("spring.md")), "## Settings"));
        List<String> missing = new ArrayList<>();
        for (Path page : Repository.pages()) {
            for (String span : CodeSpans.of(Files.readAllLines(page))) {
                Matcher name = METRIC_OR_PROPERTY.matcher(span);
                if (name.matches() && !known.contains(span)) {
                    missing.add(Repository.pathOf(page) + ": " + span);
                }
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void theReadmeSaysWithWhichVersionsTheBuildTests() throws IOException {
        String build = Files.readString(Repository.ROOT.resolve("pom.xml"));
        String readme = Files.readString(Repository.ROOT.resolve("README.md"));

        assertThat(List.of("mongodb", "slf4j", "micrometer", "spring-boot", "pekko", "pekko-scala3"))
                .allSatisfy(name -> assertThat(readme)
                        .contains(
                                " " + build.split("<" + name + "\\.version>")[1].split("<")[0] + " "));
    }

    private static Stream<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }
}
