package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A primary that goes in the middle of a claim: tried again within the budget, and claimed exactly once. */
@WithOwnReplicaSet
class FailOverIT {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    enum End {
        STEP_DOWN(Node::stepDown),
        KILL(Node::kill);

        private final Consumer<Node> end;

        End(Consumer<Node> end) {
            this.end = end;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClaimSurvivesTheEndOfThePrimary(End end, ReplicaSet set, TestDatabase database) throws InterruptedException {
        Hooks hooks = new Hooks();
        try (LeaseEngine engine = LeaseEngine.builder(database.newClient(client -> client.addCommandListener(hooks)))
                .database(database.name())
                .namespace("billing")
                .operationBudget(Duration.ofSeconds(60))
                .build()) {
            Tenure first = engine.claim("first", "h", MINUTE).orElseThrow();
            hooks.once(Hooks.Point.AFTER_UPDATE, () -> end.end.accept(set.primary()));

            Tenure tenure = engine.claim("name", "h", MINUTE).orElseThrow();

            assertThat(tenure.token()).isEqualTo(1);
            assertThat(engine.extend(first, Duration.ofMinutes(2)).isGranted()).isTrue();
            assertThat(engine.leases()).extracting(LeaseState::name).containsExactly("first", "name");
        }
        hooks.verify();
    }
}
