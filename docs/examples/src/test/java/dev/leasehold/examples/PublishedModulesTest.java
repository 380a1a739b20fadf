package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What users take: every module with a sources jar. */
class PublishedModulesTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
    private static final Pattern PARENT = Pattern.compile("<parent>.*?</parent>", Pattern.DOTALL);
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
    private static final Pattern MANAGED =
            Pattern.compile("<dependencyManagement>.*?</dependencyManagement>", Pattern.DOTALL);

    private static String pom(String module) {
        try {
            return PARENT.matcher(Files.readString(ROOT.resolve(module).resolve("pom.xml")))
                    .replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    /** The build file of each, by artifact id. */
    private static Map<String, String> published() {
        Map<String, String> published = new TreeMap<>();
        for (String module : all(MODULE, pom(""))) {
            String pom = pom(module);
            if (pom.contains("<artifactId>maven-source-plugin</artifactId>")) {
                published.put(all(ARTIFACT, pom).get(0), pom);
            }
        }
        return published;
    }

    @Test
    void theBomHasExactlyThese() {
        String managed = MANAGED.matcher(pom("engine/bom"))
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow();
        assertThat(all(ARTIFACT, managed))
                .containsExactlyInAnyOrderElementsOf(published().keySet());
    }

    @Test
    void eachHasANameADescriptionAndJavadoc() {
        published()
                .forEach((artifact, pom) -> assertThat(pom)
                        .as(artifact)
                        .contains("<name>", "<description>", "<artifactId>maven-javadoc-plugin</artifactId>"));
    }

    @Test
    void theLicenseLiesBesideTheBuildFile() throws IOException {
        assertThat(Files.readString(ROOT.resolve("LICENSE"))).contains("Version 2.0, January 2004");
        assertThat(Files.readString(ROOT.resolve("NOTICE"))).contains("The Leasehold authors");
        assertThat(getClass().getResource("/META-INF/LICENSE"))
                .as("in every jar")
                .isNotNull();
    }
}
