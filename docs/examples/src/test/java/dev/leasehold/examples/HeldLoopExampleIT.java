package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class HeldLoopExampleIT {

    private static final Duration TERM = Duration.ofSeconds(60);

    private final LeaseEngine engine;
    private final List<String> done = new ArrayList<>();
    private Tenure tenure;

    HeldLoopExampleIT(TestDatabase database) {
        engine = ExampleEngine.start(database);
    }

    @BeforeEach
    void claim() throws InterruptedException {
        tenure = engine.tenures().claim("work", "worker-1", TERM).orElseThrow();
    }

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    @Test
    void allStepsAreDoneUnderALeaseThatIsHeld() throws InterruptedException {
        run(TERM, () -> done.add("first"), () -> done.add("second"));

        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void noStepIsDoneAfterTheLeaseWasGivenUp() throws InterruptedException {
        run(TERM, () -> done.add("first"), this::release, () -> done.add("third"));

        assertThat(done).containsExactly("first");
    }

    @Test
    void aTermOfWhichLessThanTwoThirdsAreLeftIsExtended() throws InterruptedException {
        run(TERM.multipliedBy(2), () -> done.add("first"));

        assertThat(engine.tenures().remaining(tenure)).isGreaterThan(TERM);
    }

    @Test
    void noStepIsDoneIfTheExtensionIsRefused(TestDatabase database) throws InterruptedException {
        try (LeaseEngine another = ExampleEngine.start(database)) {
            another.tenures().release(tenure).orElseThrow();
        }

        assertThatExceptionOfType(LeaseRefusedException.class)
                .isThrownBy(() -> run(TERM.multipliedBy(2), () -> done.add("first")));

        assertThat(done).isEmpty();
    }

    private void run(Duration term, Runnable... steps) throws InterruptedException {
        HeldLoopExample.run(engine, tenure, term, List.of(steps).iterator());
    }

    private void release() {
        try {
            engine.tenures().release(tenure).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
