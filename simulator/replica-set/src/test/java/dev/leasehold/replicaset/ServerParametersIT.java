package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@WithOwnReplicaSet(
        nodes = 1,
        parameters = {"transactionLifetimeLimitSeconds=5", "ttlMonitorSleepSecs=7"})
class ServerParametersIT {

    private final ReplicaSet set;

    ServerParametersIT(ReplicaSet set) {
        this.set = set;
    }

    private static int parameter(ReplicaSet set, String name) {
        return set.client()
                .getDatabase("admin")
                .runCommand(new Document("getParameter", 1).append(name, 1))
                .getInteger(name);
    }

    @Test
    void theServerHasThem() {
        assertThat(parameter(set, "transactionLifetimeLimitSeconds")).isEqualTo(5);
        assertThat(parameter(set, "ttlMonitorSleepSecs")).isEqualTo(7);
    }

    @Test
    void aRestartedServerHasThemToo() {
        set.node(0).restart();

        assertThat(parameter(set, "transactionLifetimeLimitSeconds")).isEqualTo(5);
    }

    @Test
    void failPointsWorkAllTheSame(TestDatabase database) {
        assertThat(database.activate(FailPoint.failCommands("insert").forAppName("absent"))
                        .timesEntered())
                .isZero();
    }

    @Test
    @WithOwnReplicaSet(nodes = 1)
    void otherSetsHaveTheServersOwn(ReplicaSet other) {
        assertThat(parameter(other, "transactionLifetimeLimitSeconds")).isEqualTo(60);
    }

    @Test
    void aParameterThatTheServerDoesNotKnowIsSaidByTheServer() {
        assertThatThrownBy(() -> ReplicaSet.start(ReplicaSetSettings.ofNodes(1).withParameter("noSuchThing", "1")))
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("ended with code")
                .hasMessageContaining("noSuchThing");
    }
}
