package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.MongoException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.world.SimulatorFailure;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** Callers' own transactions, with the assertion that users have. */
class CallerSessionTest {

    private static final HeldTenure MEANT = new HeldTenure("x", "h", 1);
    private static final Tenure TENURE = new Tenure(Fixture.NAMESPACE, "x", "h", 1);

    private final StoreWorld stage = new StoreWorld();

    private static void check(CallerSession caller) {
        LeaseAssertion.of(TENURE, SimulatedDatabase.leases()).check(caller.clientSession());
    }

    private ContractWriter writerOfX() {
        ContractWriter a = stage.writer("a");
        return a.commits(a.insert("x"));
    }

    @Test
    void whatIsCommittedSaysWhatWasAssertedAndMeant() {
        stage.play(() -> {
            writerOfX();
            CallerSession caller = stage.caller();

            caller.clientSession().withTransaction(() -> {
                check(caller);
                caller.write("order", 7);
                return null;
            });

            assertThat(stage.lastCommit().author()).isEqualTo(new Author(Author.Kind.CALLER, 0, -1, 0, MEANT, MEANT));
            assertThat(stage.lastCommit().changes()).last().isEqualTo(new Change.OfCaller("order", 7));
            assertThat(stage.database().lease("x").gates()).isEqualTo(1);
        });
    }

    @Test
    void theBodyRunsAgainAfterAConflictAndAnAssertionOfTheFirstRunDoesNotCountForTheSecond() {
        stage.play(() -> {
            ContractWriter a = writerOfX();
            CallerSession caller = stage.caller();
            int[] runs = {0};

            caller.clientSession().withTransaction(() -> {
                if (++runs[0] == 1) {
                    caller.read("billing#x");
                    a.commits(a.extend("x"));
                    check(caller);
                }
                caller.write("order", 7);
                return null;
            });

            assertThat(runs[0]).isEqualTo(2);
            assertThat(stage.lastCommit().author().asserted()).isNull();
            assertThat(stage.lastCommit().author().meant()).isEqualTo(MEANT);
        });
    }

    @Test
    void anotherTenureIsRefusedAndNothingIsLeftOpen() {
        stage.play(() -> {
            ContractWriter a = writerOfX();
            a.commits(a.take("x", "h"));
            CallerSession caller = stage.caller();

            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> caller.clientSession().withTransaction(() -> {
                        check(caller);
                        return null;
                    }))
                    .withMessageContaining("it is held by 'h', token 2");

            assertThat(a.store().idleTransactions()).isEmpty();
        });
    }

    @Test
    void anAssertionIsInTheWayOfWhatTakesTheLeaseAndOneThatOnlyReadsIsNot() {
        stage.play(() -> {
            ContractWriter a = writerOfX();
            var take = a.take("x", "h2");
            CallerSession caller = stage.caller();
            caller.clientSession().startTransaction();
            check(caller);
            assertThat(a.commitApart(take).verdict()).isEqualTo(Verdict.LEASE_CONFLICT);
            caller.clientSession().abortTransaction();

            caller.clientSession().startTransaction();
            BsonDocument found = SimulatedDatabase.leases()
                    .find(caller.clientSession(), Filters.eq("_id", TENURE.leaseId()))
                    .first();
            caller.write("order", 7);
            assertThat(found).containsKey("token");
            assertThat(a.commit(take)).isEqualTo(WriteOutcome.APPLIED);
            caller.clientSession().commitTransaction();

            assertThat(stage.lastCommit().author().asserted())
                    .as("and the judges see it")
                    .isEqualTo(MEANT);
        });
    }

    @Test
    void anUpdateThatChangesNoByteIsInNoOthersWay() {
        stage.play(() -> {
            ContractWriter a = writerOfX();
            CallerSession caller = stage.caller();
            caller.clientSession().startTransaction();

            var result = SimulatedDatabase.leases()
                    .updateOne(
                            caller.clientSession(),
                            Filters.eq("_id", TENURE.leaseId()),
                            Updates.combine(Updates.inc("gates", 0L), Updates.set("holder", "h")));

            assertThat(result.getMatchedCount()).isEqualTo(1);
            assertThat(result.getModifiedCount()).isZero();
            a.commits(a.take("x", "h2"));
            caller.clientSession().commitTransaction();
        });
    }

    @Test
    void aCommitWithoutAnAnswerIsSentAgainAndWrittenOnce() {
        stage.play(() -> {
            writerOfX();
            CallerSession caller = stage.caller();
            long version = stage.database().version();

            caller.clientSession().withTransaction(() -> {
                check(caller);
                stage.befall(MessageFault.Kind.LOSE_REPLY, 0);
                return null;
            });

            assertThat(stage.database().version()).isEqualTo(version + 1);
        });
    }

    @Test
    void aBodyThatAlwaysConflictsIsGivenUpAfterTwoMinutesOfItsMachine() {
        stage.play(() -> {
            writerOfX();
            CallerSession other = stage.caller();
            CallerSession caller = stage.caller();
            caller.clientSession().startTransaction();
            check(caller);
            caller.clientSession().commitTransaction();
            long beginNanos = stage.simulatedProcess().simulatedMachine().monotonicNanos();

            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> caller.clientSession().withTransaction(() -> {
                        other.clientSession().abortTransaction();
                        other.clientSession().startTransaction();
                        check(other);
                        check(caller);
                        return null;
                    }))
                    .matches(e -> e.getCode() == 112);

            assertThat(stage.simulatedProcess().simulatedMachine().monotonicNanos() - beginNanos)
                    .isGreaterThanOrEqualTo(120 * StoreWorld.SECOND);
        });
    }

    @Test
    void whatTheSimulatorDoesNotKnowIsNamed() {
        stage.play(() -> {
            writerOfX();
            CallerSession caller = stage.caller();

            assertThatExceptionOfType(SimulatorFailure.class)
                    .isThrownBy(() -> SimulatedDatabase.leases().countDocuments())
                    .withMessageContaining("countDocuments");
            assertThatExceptionOfType(SimulatorFailure.class)
                    .isThrownBy(() -> caller.clientSession().isCausallyConsistent())
                    .withMessageContaining("isCausallyConsistent");
        });
    }

    @Test
    void nothingSwallowsWhatTheSimulatorDoesNotKnow() {
        assertThatIllegalStateException()
                .isThrownBy(() -> stage.play(() -> {
                    CallerSession caller = stage.caller();
                    try {
                        caller.clientSession().isCausallyConsistent();
                    } catch (RuntimeException e) {
                        // As an assertion does that reads for its message alone.
                    }
                }))
                .withRootCauseInstanceOf(SimulatorFailure.class);
    }
}
