package dev.leasehold.examples;

import static dev.leasehold.examples.ExampleEngine.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
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
    private static final Duration HASTE = Duration.ofSeconds(6);

    private final TestDatabase database;
    private final LeaseEngine engine;

    AnswersExampleIT(TestDatabase database) {
        this.database = database;
        engine = builder().build();
    }

    private LeaseEngineBuilder builder() {
        return LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("examples");
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
        FailPoint silence = FailPoint.failCommands("commitTransaction", "find")
                .withErrorCode(MAX_TIME_EXPIRED)
                .forAppName(database.name());
        try (LeaseEngine hasty =
                builder().operationBudget(HASTE).commandBudget(HASTE).build()) {
            claimAndGiveUp(hasty); // it knows the lease now, and needs no read to claim it again
            try (ActiveFailPoint active = database.activate(silence)) {
                assertThat(AnswersExample.claim(hasty, "a")).startsWith("maybe, so do not act: ");
                assertThat(active.timesEntered()).isPositive();
            }
        }
    }

    @Test
    void aClaimThatWasCarriedOutAfterAllIsGivenUp() throws InterruptedException {
        claimAndGiveUp(engine);

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

    private static void claimAndGiveUp(LeaseEngine engine) throws InterruptedException {
        AnswersExample.claim(engine, "a");
        assertThat(stateOf(engine, "report")).isInstanceOf(LeaseState.Held.class);
        AnswersExample.clearUp(engine, "a");
    }
}
