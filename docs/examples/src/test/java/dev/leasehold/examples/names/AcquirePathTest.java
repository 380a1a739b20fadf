package dev.leasehold.examples.names;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The methods that the page of the architecture names for one acquisition. */
class AcquirePathTest {

    private static final Pattern SECTION =
            Pattern.compile("### The classes on the way\\n(.*?)\\nThe first acquisition", Pattern.DOTALL);
    private static final Pattern COUNT = Pattern.compile("open these (\\d+) classes");
    private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w*)\\.([a-z]\\w*)`");

    /** From a method that is named before: a class between is not worth a row. */
    private static final int CLASSES_MAX = 2;

    private static CallGraph engine;

    /** A method as the page names it. */
    private record Named(String type, String method) {}

    @BeforeAll
    static void read() {
        engine = new CallGraph(new ClassFileImporter().importPackages("dev.leasehold.engine"));
    }

    private static String section() throws IOException {
        return only(SECTION, Files.readString(Repository.ROOT.resolve("docs").resolve("architecture.md")));
    }

    private static List<Named> named(String section) {
        return METHOD.matcher(section)
                .results()
                .map(span -> new Named(span.group(1), span.group(2)))
                .toList();
    }

    @Test
    @DisplayName(
            "The methods that are named for an acquisition are called on its way, in as many classes as the page says")
    void namedMethodsAreOnTheWay() throws IOException {
        String section = section();

        assertThat(beside(named(section))).isEmpty();
        assertThat(named(section).stream().map(Named::type).distinct()).hasSize(Integer.parseInt(only(COUNT, section)));
    }

    @Test
    @DisplayName("A method that is not there, or that none of the methods named before leads to, is found")
    void whatIsNotOnTheWayIsFound() throws IOException {
        Named elsewhere = new Named("AdminOperations", "pin");
        Named missing = new Named("DefaultLeaseEngine", "tryNothing");
        List<Named> named = new ArrayList<>(named(section()));
        named.add(elsewhere);
        named.add(missing);

        assertThat(engine.named(elsewhere.type(), elsewhere.method())).isNotEmpty();
        assertThat(beside(named)).containsExactly(elsewhere, missing);
    }

    /** Those that none of the methods named before leads to. */
    private static List<Named> beside(List<Named> named) {
        List<Named> beside = new ArrayList<>();
        Set<JavaCodeUnit> before = new HashSet<>();
        for (Named one : named) {
            Set<JavaCodeUnit> units = engine.named(one.type(), one.method());
            Set<JavaCodeUnit> reached = engine.reachableFrom(before, CLASSES_MAX);
            if (units.isEmpty() || !before.isEmpty() && Collections.disjoint(reached, units)) {
                beside.add(one);
            }
            before.addAll(units);
        }
        return beside;
    }

    private static String only(Pattern pattern, String text) {
        List<String> found =
                pattern.matcher(text).results().map(match -> match.group(1)).toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
