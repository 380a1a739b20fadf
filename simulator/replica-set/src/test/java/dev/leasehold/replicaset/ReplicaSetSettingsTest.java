package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaSetSettingsTest {

    private static final ReplicaSetSettings PLAIN = ReplicaSetSettings.ofNodes(1);

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 2, 4})
    void otherNumbersOfNodesAreRefused(int nodes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplicaSetSettings.ofNodes(nodes))
                .withMessage("nodes must be 1 or 3, is " + nodes);
    }

    @Test
    void aParameterWithoutANameIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PLAIN.withParameter(" ", "5"))
                .withMessageContaining("must have a name")
                .withMessageContaining("=5");
    }

    @Test
    void eachChangeIsACopy() {
        PLAIN.withAuthentication();
        PLAIN.withParameter("a", "1");

        assertThat(PLAIN).isEqualTo(new ReplicaSetSettings(1, false, Map.of()));
    }

    @Test
    void changesAddUp() {
        assertThat(PLAIN.withParameter("a", "1")
                        .withAuthentication()
                        .withParameter("a", "2")
                        .withParameter("b", "3"))
                .isEqualTo(new ReplicaSetSettings(1, true, Map.of("a", "2", "b", "3")));
    }

    @Test
    void theParametersCannotBeChangedAfterwards() {
        Map<String, String> parameters = new HashMap<>(Map.of("a", "1"));
        ReplicaSetSettings settings = new ReplicaSetSettings(1, false, parameters);

        parameters.put("b", "2");

        assertThat(settings.parameters()).containsOnlyKeys("a");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> settings.parameters().put("b", "2"));
    }

    @Test
    void withoutWishesTheCommandLineHasTheParametersOfThisPackageAlone() {
        assertThat(arguments(PLAIN))
                .doesNotContain("--auth", "--keyFile")
                .containsSubsequence(
                        "--setParameter", "enableTestCommands=1",
                        "--setParameter", "diagnosticDataCollectionEnabled=false")
                .filteredOn("--setParameter"::equals)
                .hasSize(2);
    }

    @Test
    void aParameterTakesThePlaceOfTheOneOfThisPackage() {
        assertThat(arguments(
                        PLAIN.withParameter("enableTestCommands", "0").withParameter("ttlMonitorEnabled", "false")))
                .containsSubsequence(
                        "--setParameter", "enableTestCommands=0",
                        "--setParameter", "diagnosticDataCollectionEnabled=false",
                        "--setParameter", "ttlMonitorEnabled=false")
                .doesNotContain("enableTestCommands=1");
    }

    private static List<String> arguments(ReplicaSetSettings settings) {
        Path path = Path.of("/nowhere");
        return new MongodCommand(path, "rs", 20017, path, Access.ofAll(), settings.parameters()).arguments();
    }
}
