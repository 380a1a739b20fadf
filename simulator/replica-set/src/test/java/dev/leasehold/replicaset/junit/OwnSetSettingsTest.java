package dev.leasehold.replicaset.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.replicaset.ReplicaSetSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnSetSettingsTest {

    @Test
    void byDefaultThereAreThreeNodesForEveryClient() {
        assertThat(settingsOf(Default.class)).isEqualTo(ReplicaSetSettings.ofNodes(3));
    }

    @Test
    void everythingIsTakenFromTheAnnotation() {
        assertThat(settingsOf(Everything.class))
                .isEqualTo(new ReplicaSetSettings(1, true, Map.of("a", "1", "b", "x=y", "c", "")));
    }

    @Test
    void aParameterWithoutAValueIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settingsOf(NoValue.class))
                .withMessage("a parameter must be name=value, is verbose");
    }

    private static ReplicaSetSettings settingsOf(Class<?> test) {
        return ReplicaSetExtension.settings(test.getAnnotation(WithOwnReplicaSet.class));
    }

    @WithOwnReplicaSet
    private static final class Default {}

    @WithOwnReplicaSet(
            nodes = 1,
            authentication = true,
            parameters = {"a=1", "b=x=y", "c="})
    private static final class Everything {}

    @WithOwnReplicaSet(parameters = "verbose")
    private static final class NoValue {}
}
