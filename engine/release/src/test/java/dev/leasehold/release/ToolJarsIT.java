package dev.leasehold.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tools, each a jar with all libraries in it, which a user downloads without a POM beside it. */
class ToolJarsIT {

    private static final Path ROOT = Path.of("..", "..");
    /** A library in the list of third parties: its licences, then its coordinates. */
    private static final Pattern LIBRARY =
            Pattern.compile("(?m)^ +((?:\\([^)]*\\) )+).*\\(([^():]+):[^():]+:[^()]*\\)$");
    /** What asks for no text, or has its text in the jar as this project's own licence. */
    private static final Set<String> NO_TEXT = Set.of("Apache-2.0", "MIT-0", "Public Domain, per Creative Commons CC0");
    /** Licences whose text is the same for all. */
    private static final Map<String, String> TEXTS = Map.of("EPL-2.0", "META-INF/licenses/EPL-2.0.txt");
    /** Texts that begin with the names of the people who have the copyright. */
    private static final Map<String, String> TEXTS_OF_GROUPS = Map.of(
            "com.esotericsoftware", "BSD-3-Clause-kryo",
            "com.google.protobuf", "BSD-3-Clause-protobuf",
            "com.samskivert", "BSD-3-Clause-jmustache",
            "org.jodd", "BSD-2-Clause-jodd",
            "org.ow2.asm", "BSD-3-Clause-asm",
            "org.postgresql", "BSD-2-Clause-postgresql",
            "org.rnorth.duct-tape", "MIT-testcontainers",
            "org.slf4j", "MIT-slf4j",
            "org.testcontainers", "MIT-testcontainers");

    @ParameterizedTest(name = "{1}.jar")
    @DisplayName("Each tool has the licence, the notices, and the texts of its libraries' licences")
    @CsvSource({
        "engine/tools/merge-queue, leasehold-merge-queue",
        "engine/tools/operator, leasehold",
        "simulator/skew, leasehold-simulator",
        "simulator/bench, leasehold-bench"
    })
    void licences(String module, String name) throws IOException {
        try (ZipFile jar = new ZipFile(target(module).resolve(name + ".jar").toFile())) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/NOTICE")).contains("The Leasehold authors");

            String list = text(jar, "META-INF/THIRD-PARTY.txt");
            Set<String> missing = new TreeSet<>();
            for (MatchResult library : LIBRARY.matcher(list).results().toList()) {
                if (!hasItsText(jar, library)) {
                    missing.add(library.group().strip());
                }
            }
            assertThat(LIBRARY.matcher(list).results().count())
                    .as(list)
                    .isEqualTo(list.lines().filter(line -> line.startsWith(" ")).count());
            assertThat(list).contains("org.mongodb:mongodb-driver-sync:");
            assertThat(missing).as("without the text of a licence").isEmpty();
        }
    }

    @ParameterizedTest(name = "{1}")
    @DisplayName("Each tool has a bill of its libraries beside it")
    @Tag("release")
    @CsvSource({
        "engine/tools/merge-queue, leasehold-merge-queue",
        "engine/tools/operator, leasehold-operator",
        "simulator/skew, leasehold-simulator",
        "simulator/bench, leasehold-bench"
    })
    void bill(String module, String artifact) throws IOException {
        String version = System.getProperty("leasehold.version");
        String bill = Files.readString(target(module).resolve(artifact + "-" + version + "-cyclonedx.json"));
        assertThat(bill).contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/org.mongodb/mongodb-driver-sync@");
    }

    private static Path target(String module) {
        return ROOT.resolve(module).resolve("target");
    }

    private static boolean hasItsText(ZipFile jar, MatchResult library) throws IOException {
        Set<String> licences = new TreeSet<>(Arrays.asList(
                library.group(1).strip().replaceAll("^\\(|\\)$", "").split("\\) \\(")));
        for (String licence : licences) {
            if (NO_TEXT.contains(licence) || TEXTS.containsKey(licence) && jar.getEntry(TEXTS.get(licence)) != null) {
                return true;
            }
        }
        String own = "META-INF/licenses/" + TEXTS_OF_GROUPS.get(library.group(2)) + ".txt";
        return jar.getEntry(own) != null && text(jar, own).contains("Copyright");
    }

    private static String text(ZipFile jar, String name) throws IOException {
        ZipEntry entry = jar.getEntry(name);
        assertThat(entry).as("%s in %s", name, jar.getName()).isNotNull();
        return new String(jar.getInputStream(entry).readAllBytes(), UTF_8);
    }
}
