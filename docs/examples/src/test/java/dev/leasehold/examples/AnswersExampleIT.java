package dev.leasehold.examples;

import static dev.leasehold.examples.ExampleEngine.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class AnswersExampleIT {

    private static final int MAX_TIME_EXPIRED = 50;

    private final TestDatabase database;
    private final LeaseEngine engine;

    AnswersExampleIT(TestDatabase database) {
        this.database = database;
        engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("examples")
                .operationBudget(Duration.ofSeconds(1))
                .commandBudget(Duration.ofSeconds(1))
                .build();
    }

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    @Test
    void aFreeLeaseIsAYes() throws InterruptedException {
        assertThat(claim("a")).isEqualTo("yes: token 1");
    }

    @Test
    void aHeldLeaseIsANoThatNamesTheHolder() throws InterruptedException {
        claim("a");

        assertThat(claim("b")).startsWith("no: ").contains("held by 'a' under token 1");
    }

    @Test
    void aClosedEngineIsACertainNo() throws InterruptedException {
        engine.close();

        assertThat(claim("a")).startsWith("certainly not: ");
    }

    @Test
    void aCommitWhoseAnswerIsLostIsAMaybe() throws InterruptedException {
        claimAndGiveUp(); // the engine knows the lease now, and needs no read to claim it again
        FailPoint silence = FailPoint.failCommands("commitTransaction", "find")
                .withErrorCode(MAX_TIME_EXPIRED)
                .forAppName(database.name());
        try (ActiveFailPoint active = database.activate(silence)) {
            assertThat(claim("a")).startsWith("maybe, so do not act: ");
            assertThat(active.timesEntered()).isPositive();
        }
    }

    @Test
    void aClaimThatWasCarriedOutAfterAllIsGivenUp() throws InterruptedException {
        claimAndGiveUp();

        assertThat(stateOf(engine, "report")).isEqualTo(new LeaseState.Vacant("report", 1, null, Set.of()));
    }

    @Test
    void theLeaseOfAnotherHolderIsLeftAlone() throws InterruptedException {
        claim("b");

        AnswersExample.clearUp(engine, "a");

        assertThat(stateOf(engine, "report")).isInstanceOf(LeaseState.Held.class);
    }

    private String claim(String holder) throws InterruptedException {
        return AnswersExample.claim(engine, holder);
    }

    private void claimAndGiveUp() throws InterruptedException {
        claim("a");
        assertThat(stateOf(engine, "report")).isInstanceOf(LeaseState.Held.class);
        AnswersExample.clearUp(engine, "a");
    }
}
