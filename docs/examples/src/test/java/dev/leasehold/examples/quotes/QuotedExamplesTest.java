package dev.leasehold.examples.quotes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every piece of Java code in the pages is code that is compiled and run here. */
class QuotedExamplesTest {

    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path ROOT = MODULE.getParent().getParent();

    @TestFactory
    List<DynamicTest> thePagesQuoteTheSources() throws IOException {
        Regions regions = regions();
        return pages().stream()
                .map(page -> DynamicTest.dynamicTest(
                        ROOT.relativize(page).toString(),
                        () -> assertThat(quoting(page, regions).problems()).isEmpty()))
                .toList();
    }

    private static QuotingPage quoting(Path page, Regions regions) throws IOException {
        return QuotingPage.read(ROOT.relativize(page).toString(), Files.readAllLines(page), regions);
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        return pages;
    }

    private static Regions regions() throws IOException {
        Regions regions = new Regions();
        for (Path module : List.of(
                MODULE, MODULE.resolve("spring-boot"), ROOT.resolve("engine").resolve("with-reactive-driver"))) {
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    regions.add(name.substring(0, name.length() - ".java".length()), Files.readAllLines(file));
                }
            }
        }
        return regions;
    }
}
