package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shared set plays the one that is run elsewhere. */
@WithReplicaSet
class ExistingSetIT {

    private ReplicaSet theirs;
    private Deployment existing;

    @BeforeEach
    void openExisting(ReplicaSet set) {
        theirs = set;
        existing = ForeignDeployment.open(set.uri(), 1);
    }

    @AfterEach
    void close() {
        existing.close();
    }

    @Test
    void itsNodesAreThoseOfTheSet() {
        assertThat(existing.nodes())
                .extracting(Node::address)
                .isEqualTo(theirs.nodes().stream().map(Node::address).toList());
        assertThat(existing.nodes().get(0).isPrimary()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("faultsOfProcesses")
    void faultsOfProcessesAreRefusedWithTheReason(Consumer<Node> fault) {
        Node node = existing.nodes().get(0);

        assertThatThrownBy(() -> fault.accept(node))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(node.toString())
                .hasMessageContaining("LEASEHOLD_MONGODB_URI");
    }

    @Test
    void failPointsWorkIfTheServerHasThem() {
        try (ActiveFailPoint failPoint = existing.nodes()
                .get(0)
                .activate(FailPoint.failCommands("insert").forAppName("absent"))) {
            assertThat(failPoint.timesEntered()).isZero();
        }
    }

    @Test
    void closingItLeavesTheServersAlone() {
        existing.close();

        assertThat(theirs.findPrimary()).isPresent();
    }

    @Test
    void aSetOfFewerNodesThanAskedForIsRefused() {
        assertThatThrownBy(() -> ForeignDeployment.open(theirs.uri(), 3))
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("a replica set of 1, but 3 nodes are asked for");
    }

    private static Stream<Consumer<Node>> faultsOfProcesses() {
        return Stream.of(Node::kill, Node::terminate, Node::pause, Node::resume, Node::restart);
    }
}
