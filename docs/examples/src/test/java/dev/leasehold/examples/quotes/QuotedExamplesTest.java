package dev.leasehold.examples.quotes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every piece of Java code in the pages is code that is compiled and run, and what is marked for the pages is on one. */
class QuotedExamplesTest {

    @TestFactory
    List<DynamicTest> thePagesQuoteTheSources() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        Regions regions = regions();
        for (Path page : Repository.pages()) {
            QuotingPage quoting = quoting(page, regions);
            tests.add(DynamicTest.dynamicTest(
                    Repository.pathOf(page),
                    () -> assertThat(quoting.problems()).isEmpty()));
        }
        return tests;
    }

    @Test
    void everyMarkedRegionIsOnAPage() throws IOException {
        Regions regions = regions();
        Set<String> quoted = new TreeSet<>();
        for (Path page : Repository.pages()) {
            quoted.addAll(quoting(page, regions).quoted());
        }

        assertThat(regions.names()).isNotEmpty().isEqualTo(quoted);
    }

    private static QuotingPage quoting(Path page, Regions regions) throws IOException {
        return QuotingPage.read(Repository.pathOf(page), Files.readAllLines(page), regions);
    }

    private static Regions regions() throws IOException {
        Regions regions = new Regions();
        for (Path file : Repository.files()) {
            if (file.toString().endsWith(".java")) {
                regions.add(Repository.className(file), Files.readAllLines(file));
            }
        }
        return regions;
    }
}
