package dev.leasehold.examples;

import static dev.leasehold.examples.ExampleEngine.stateOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class ClaimExampleIT {

    private final LeaseEngine engine;
    private final List<String> written = new ArrayList<>();

    ClaimExampleIT(TestDatabase database) {
        engine = ExampleEngine.start(database);
    }

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    @Test
    void theLeaseIsHeldDuringTheWorkAndFreeAfterIt() throws InterruptedException {
        List<LeaseState> during = new ArrayList<>();

        ClaimExample.report(engine, List.of("sales"), chapter -> {
            written.add(chapter);
            during.add(state());
        });

        assertThat(written).containsExactly("sales");
        assertThat(during).singleElement().isInstanceOfSatisfying(LeaseState.Held.class, held -> {
            assertThat(held.tenure().holder()).isEqualTo("reporter-2");
            assertThat(held.comment()).isEqualTo("the weekly report");
        });
        assertThat(state().status()).isEqualTo(LeaseStatus.FREE);
    }

    @Test
    void nothingIsWrittenWhileAnotherHoldsTheLease() throws InterruptedException {
        engine.tenures().claim("report", "reporter-1", Duration.ofSeconds(60)).orElseThrow();

        ClaimExample.report(engine, List.of("sales"), written::add);

        assertThat(written).isEmpty();
    }

    @Test
    void theLeaseIsFreeAlsoAfterWorkThatFailed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ClaimExample.report(engine, List.of("sales"), chapter -> {
                    throw new IllegalStateException("out of paper");
                }));

        assertThat(state())
                .isInstanceOfSatisfying(
                        LeaseState.Vacant.class,
                        vacant -> assertThat(vacant)
                                .isEqualTo(new LeaseState.Vacant("report", vacant.token(), null, Set.of())));
    }

    private LeaseState state() {
        try {
            return stateOf(engine, "report");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
