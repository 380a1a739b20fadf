package dev.leasehold.engine;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which package may know which, and which one touches the driver, the meters and the machine. */
class ArchitectureTest {

    private static final String API = "dev.leasehold.engine";

    /** Below each package, what it may know of the others; the public API and the assertions are open to all but time. */
    private static final String INTERNAL = API + ".internal";

    /** What a package that sends operations may know. */
    private static final String[] ONE_OPERATION = {
        "time", "store", "runtime", "rules", "metrics", "session", "commit", "settings"
    };

    private static final Map<String, Set<String>> MAY_KNOW = Map.ofEntries(
            Map.entry("time", Set.of()),
            Map.entry("runtime", Set.of("time")),
            Map.entry("store", Set.of()),
            Map.entry("rules", Set.of("time", "store")),
            Map.entry("settings", Set.of("time", "store", "rules")),
            Map.entry("mongo.documents", Set.of("store")),
            Map.entry("mongo.errors", Set.of("store")),
            Map.entry("mongo.connection", Set.of("store", "mongo.errors")),
            Map.entry("mongo.changes", Set.of("store", "mongo.documents", "mongo.errors", "mongo.connection")),
            Map.entry("mongo", Set.of("store", "mongo.documents", "mongo.errors", "mongo.connection", "mongo.changes")),
            Map.entry("metrics", Set.of("time", "store")),
            Map.entry("health", Set.of("time", "store", "metrics")),
            Map.entry("recovery", Set.of("time", "store", "runtime", "metrics")),
            Map.entry("session", Set.of("time", "store", "runtime", "rules")),
            Map.entry("commit", Set.of("time", "store", "runtime", "rules", "metrics", "session", "settings")),
            Map.entry("partition", and(ONE_OPERATION, "health", "recovery")),
            Map.entry("eventloop", Set.of(ONE_OPERATION)),
            Map.entry("held", and(ONE_OPERATION, "eventloop")),
            Map.entry("watch", and(ONE_OPERATION, "eventloop", "held")),
            Map.entry("queue", and(ONE_OPERATION, "eventloop", "held", "watch")),
            Map.entry("lease", and(ONE_OPERATION, "eventloop", "held", "watch", "queue")),
            Map.entry("election", and(ONE_OPERATION, "eventloop", "held", "lease")),
            Map.entry("operations", and(ONE_OPERATION, "partition")),
            Map.entry("bootstrap", and(ONE_OPERATION, "health", "partition", "lease", "election", "operations")));

    /** What holds or acquires leases. */
    private static final String[] OF_LEASES = {"eventloop", "held", "watch", "queue", "lease", "election"};

    private static JavaClasses engine;

    @BeforeAll
    static void read() {
        engine = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(API);
    }

    static Stream<String> layers() {
        return MAY_KNOW.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("layers")
    void layerKnowsOnlyWhatLiesBelowIt(String layer) {
        List<String> known = new ArrayList<>(List.of(in(layer)));
        MAY_KNOW.get(layer).forEach(below -> known.add(in(below)));
        if (!layer.equals("time") && !layer.equals("runtime")) {
            known.add(API);
        }
        DescribedPredicate<JavaClass> above = resideInAPackage(API + "..")
                .and(DescribedPredicate.not(resideInAnyPackage(known.toArray(String[]::new))))
                .as("engine classes outside of " + known);

        noClasses()
                .that()
                .resideInAPackage(in(layer))
                .should()
                .dependOnClassesThat(above)
                .check(engine);
    }

    @Test
    void everyPackageHasItsLayer() {
        assertThat(engine.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> name.startsWith(INTERNAL + "."))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(
                        MAY_KNOW.keySet().stream().map(ArchitectureTest::in).toList());
    }

    @Test
    void packagesBelowTheApiFormNoCycle() {
        slices().matching(INTERNAL + ".(**)").should().beFreeOfCycles().check(engine);
    }

    @Test
    void timeKnowsNothingOfTheProject() {
        noClasses()
                .that()
                .resideInAPackage(in("time"))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.leasehold..").and(DescribedPredicate.not(resideInAPackage(in("time")))))
                .check(engine);
    }

    @Test
    void onlyTheBuilderReachesInside() {
        noClasses()
                .that()
                .resideInAPackage(API)
                .and()
                .doNotHaveSimpleName("LeaseEngineBuilder")
                .and()
                .doNotHaveSimpleName("LeaseMeters")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(INTERNAL + "..")
                .check(engine);
    }

    @Test
    void onlyTheMongoStoreAndTheApiKnowTheDriver() {
        classes()
                .that(DescribedPredicate.describe(
                        "depend on the driver",
                        type -> type.getDirectDependenciesFromSelf().stream()
                                .anyMatch(each ->
                                        each.getTargetClass().getName().matches("(com\\.mongodb|org\\.bson)\\..*"))))
                .should()
                .resideInAnyPackage(API, in("mongo") + "..")
                .orShould()
                .haveSimpleName("LeaseHandle")
                .orShould()
                .haveSimpleName("LeaderLease")
                .because("a handle runs the transactions of callers")
                .check(engine);
    }

    @Test
    void onlyTheMetricsKnowMicrometer() {
        noClasses()
                .that(DescribedPredicate.not(resideInAPackage(in("metrics")))
                        .and(DescribedPredicate.not(simpleName("LeaseMeters"))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .check(engine);
    }

    @Test
    void leasesReachTheDatabaseOnlyThroughTheEngineBelowAndTheWatch() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        Stream.of(OF_LEASES).map(ArchitectureTest::in).toArray(String[]::new))
                .should()
                .dependOnClassesThat(resideInAPackage(in("store"))
                        .and(DescribedPredicate.not(DescribedPredicate.describe(
                                "are changes", type -> type.getName().contains(".LeaseChange")))))
                .check(engine);
    }

    @Test
    void onlyTheRuntimeTouchesClocksThreadsAndChance() {
        DescribedPredicate<JavaCall<?>> reads = target(nameMatching("nanoTime|currentTimeMillis"))
                .and(target(owner(DescribedPredicate.describe("System", type -> type.isEquivalentTo(System.class)))));
        noClasses()
                .that()
                .resideOutsideOfPackage(in("runtime"))
                .should()
                .callMethodWhere(reads)
                .orShould()
                .callMethodWhere(target(
                                nameMatching(
                                        "now|systemUTC|systemDefaultZone|sleep|ofVirtual|ofPlatform|randomUUID|delayedExecutor"))
                        .and(target(owner(DescribedPredicate.describe(
                                "clocks, threads and chance",
                                type -> type.getName()
                                        .matches(
                                                "java\\.time\\.(Instant|Clock|LocalDateTime)|java\\.lang\\.Thread|java\\.util\\.UUID"
                                                        + "|java\\.util\\.concurrent\\.CompletableFuture"))))))
                .orShould()
                .callConstructor(Thread.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class, String.class)
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Random|SplittableRandom|Timer)|java\\.security\\.SecureRandom"
                        + "|java\\.util\\.concurrent\\.(Executors|ThreadLocalRandom|.*PoolExecutor)")
                .check(engine);
    }

    private static Set<String> and(String[] some, String... more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).collect(Collectors.toSet());
    }

    private static String in(String layer) {
        return INTERNAL + "." + layer;
    }
}
