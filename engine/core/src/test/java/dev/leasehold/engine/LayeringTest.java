package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which package may know which. Read from the sources, so that an import alone is enough to break it. */
class LayeringTest {

    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "leasehold", "engine");

    /** The exported package itself, which has the values and exceptions that all layers speak of. */
    private static final String API = "";

    /** Below each package what it may import of this project; the assertions are open to all but time. */
    private static final Map<String, Set<String>> MAY_KNOW = Map.of(
            "time", Set.of(),
            "runtime", Set.of("time"),
            "store", Set.of(API),
            "protocol", Set.of(API, "time", "store"),
            "mongo", Set.of(API, "store"),
            "meters", Set.of(API, "time", "store"),
            "commit", Set.of(API, "time", "store", "protocol", "runtime", "meters"),
            "handle", Set.of(API, "time", "store", "protocol", "runtime", "meters", "commit"),
            "client", Set.of(API, "time", "store", "protocol", "runtime", "meters", "commit", "handle"));

    /** What the interface has to name in order to put an engine together. */
    private static final Set<String> BUILDER = Set.of("LeaseEngineBuilder", "LeaseMeters");

    private static final Pattern PROJECT =
            Pattern.compile("\\bdev\\.leasehold\\.(engine|assertions)\\.((?:[a-z][a-z0-9]*\\.)*)([A-Z]\\w*)");
    private static final Pattern DRIVER = Pattern.compile("\\b(com\\.mongodb|org\\.bson)\\b");
    private static final Pattern MICROMETER = Pattern.compile("\\bio\\.micrometer\\b");
    private static final Pattern MACHINE = Pattern.compile(
            "System\\.(nanoTime|currentTimeMillis)|Instant\\.now|Clock\\.system|\\bnew Thread\\b|Thread\\.(sleep|start|ofVirtual"
                    + "|ofPlatform)|\\bExecutors\\b|\\b\\w+PoolExecutor|\\bRandom\\b|ThreadLocalRandom|SecureRandom|SplittableRandom|UUID\\.randomUUID"
                    + "|Math\\.random|\\bnew Timer\\b|LocalDateTime\\.now|CompletableFuture\\.delayedExecutor");

    @ParameterizedTest
    @ValueSource(strings = {"time", "runtime", "store", "protocol", "mongo", "meters", "commit", "handle", "client"})
    void packageKnowsOnlyWhatLiesBelowIt(String layer) {
        Set<String> known = new TreeSet<>();
        for (Path source : sourcesOf(layer)) {
            known.addAll(packagesNamedIn(code(source)));
        }
        known.remove(layer);

        assertThat(MAY_KNOW.get(layer)).as(layer + " may know").containsAll(known);
    }

    @Test
    void timeKnowsNothingOfTheProject() {
        for (Path source : sourcesOf("time")) {
            assertThat(code(source)).doesNotContain("import dev.leasehold");
        }
    }

    @Test
    void everyPackageHasItsPlace() throws IOException {
        try (Stream<Path> folders = Files.list(SOURCES)) {
            assertThat(folders.filter(Files::isDirectory)
                            .map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(MAY_KNOW.keySet());
        }
    }

    @Test
    void onlyTheInterfaceIsPutTogetherFromTheInside() {
        for (Path source : sourcesOf(API)) {
            if (!BUILDER.contains(simpleName(source))) {
                assertThat(packagesNamedIn(code(source))).as(simpleName(source)).isSubsetOf(API);
            }
        }
    }

    @Test
    void onlyTheMongoStoreAndTheInterfaceKnowTheDriver() {
        assertThat(whoNames(DRIVER)).containsExactly("Lease", "LeaseEngine", "LeaseEngineBuilder", "handle", "mongo");
    }

    @Test
    void handlesReachTheDatabaseOnlyThroughTheEngineBelowAndTheWatch() {
        assertThat(sourcesOf("handle").stream()
                        .filter(source -> DRIVER.matcher(code(source)).find()))
                .as("for the transactions of callers")
                .extracting(LayeringTest::simpleName)
                .containsExactlyInAnyOrder("LeaseHandle", "LeaderLease");
        assertThat(sourcesOf("handle").stream().flatMap(source -> typesNamedIn(code(source), "store").stream()))
                .containsOnly("LeaseChange", "LeaseChanges");
    }

    @Test
    void onlyTheMetersKnowMicrometer() {
        assertThat(whoNames(MICROMETER)).containsExactly("LeaseMeters", "meters");
        assertThat(sourcesOf("meters").stream()
                        .filter(source -> MICROMETER.matcher(code(source)).find()))
                .extracting(LayeringTest::simpleName)
                .containsExactlyInAnyOrder(
                        "HoldingGauges", "MicrometerMeters", "SkewGauges", "SurveyGauges", "SurveyedGauge");
    }

    /** The layers that name it, and the types of the interface that do. */
    private static Set<String> whoNames(Pattern pattern) {
        Set<String> knowing = new TreeSet<>();
        for (String layer : MAY_KNOW.keySet()) {
            sourcesOf(layer).stream()
                    .filter(source -> pattern.matcher(code(source)).find())
                    .forEach(source -> knowing.add(layer));
        }
        sourcesOf(API).stream()
                .filter(source -> pattern.matcher(code(source)).find())
                .forEach(source -> knowing.add(simpleName(source)));
        return knowing;
    }

    @Test
    void onlyTheRuntimeTouchesClocksThreadsAndChance() {
        for (Path source : allSources()) {
            if (!source.getParent().endsWith("runtime")) {
                Matcher machine = MACHINE.matcher(code(source));
                assertThat(machine.find() ? machine.group() : "nothing")
                        .as(source.toString())
                        .isEqualTo("nothing");
            }
        }
    }

    private static Set<String> packagesNamedIn(String code) {
        Set<String> packages = new TreeSet<>();
        Matcher name = PROJECT.matcher(code);
        while (name.find()) {
            if (name.group(1).equals("engine")) {
                packages.add(name.group(2).replaceAll("\\..*", ""));
            }
        }
        return packages;
    }

    private static Set<String> typesNamedIn(String code, String layer) {
        Set<String> types = new TreeSet<>();
        Matcher name = PROJECT.matcher(code);
        while (name.find()) {
            if (name.group(2).equals(layer + ".")) {
                types.add(name.group(3));
            }
        }
        return types;
    }

    private static List<Path> sourcesOf(String layer) {
        Path folder = layer.isEmpty() ? SOURCES : SOURCES.resolve(layer);
        List<Path> sources = new ArrayList<>(allSources());
        sources.removeIf(source -> !source.getParent().equals(folder));
        assertThat(sources).as("sources of '" + layer + "'").isNotEmpty();
        return sources;
    }

    private static List<Path> allSources() {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without comments, which may speak of anything. */
    private static String code(Path source) {
        try {
            return Files.readString(source).replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//[^\n]*", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String simpleName(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }
}
