package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Filters;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.StoppedReplication;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary that goes, or does not answer, at the very commit of a claim. The answer is a yes, since the budget is long;
 * there is one effect, and the token is the first. The rows that need no fail-over are in {@link UnknownOutcomeIT}.
 *
 * <table>
 *   <caption>Rows, each with and without retryable writes</caption>
 *   <tr><th>what happens</th><th>when</th></tr>
 *   <tr><td>the primary is killed; it steps down</td><td>before the commit is sent</td></tr>
 *   <tr><td>the same</td><td>when a majority has the commit, and its answer is there</td></tr>
 *   <tr><td>the same</td><td>when the primary has carried the commit out, and the answer does not say whether a majority
 *       has it: it may get lost with the primary</td></tr>
 *   <tr><td>the connection is closed</td><td>when the primary has carried the commit out, and no majority has it</td></tr>
 * </table>
 */
@WithOwnReplicaSet
class FailOverIT {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** Of a write concern that cannot be satisfied. The command is carried out, and no majority is waited for. */
    private static final int UNSATISFIABLE_WRITE_CONCERN = 100;

    /** Lets an engine start on a busy machine; each commit whose answer is lost costs as much. */
    private static final int READ_TIMEOUT_MILLIS = 1_500;

    enum End {
        STEP_DOWN(Node::stepDown),
        KILL(Node::kill);

        private final Consumer<Node> end;

        End(Consumer<Node> end) {
            this.end = end;
        }
    }

    enum Moment {
        BEFORE_THE_COMMIT(Hooks.Point.BEFORE_COMMIT),
        AFTER_THE_COMMIT(Hooks.Point.AFTER_COMMIT),
        AFTER_THE_COMMIT_WHOSE_ANSWER_TELLS_NOTHING(Hooks.Point.AFTER_COMMIT);

        private final Hooks.Point point;

        Moment(Hooks.Point point) {
            this.point = point;
        }

        private void prepare(TestDatabase database) {
            if (this == AFTER_THE_COMMIT_WHOSE_ANSWER_TELLS_NOTHING) {
                database.activate(FailPoint.failCommands("commitTransaction")
                        .withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN)
                        .times(1)
                        .forAppName(database.name()));
            }
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(End.values())
                .flatMap(end -> Stream.of(Moment.values())
                        .flatMap(moment ->
                                Stream.of(true, false).map(retryWrites -> Arguments.of(end, moment, retryWrites))));
    }

    private final Hooks hooks = new Hooks();

    private LeaseEngine engine(TestDatabase database, boolean retryWrites, int readTimeoutMillis) {
        Engines.beginTokensAtOne(database, 1);
        return LeaseEngine.builder(database.newClient(client -> client.retryWrites(retryWrites)
                        .applyToSocketSettings(socket -> socket.readTimeout(readTimeoutMillis, TimeUnit.MILLISECONDS))
                        .addCommandListener(hooks)))
                .database(database.name())
                .namespace("billing")
                .operationBudget(Duration.ofSeconds(60))
                .sessionLength(Duration.ofMinutes(2))
                .build();
    }

    @AfterEach
    void checkSchema(TestDatabase database) {
        SchemaCheck.of(database);
    }

    @ParameterizedTest(name = "{0} {1}, retryWrites={2}")
    @MethodSource("rows")
    @DisplayName("The primary ends at the very commit")
    void aClaimSurvivesTheEndOfThePrimary(
            End end, Moment moment, boolean retryWrites, ReplicaSet set, TestDatabase database)
            throws InterruptedException {
        try (LeaseEngine engine = engine(database, retryWrites, 0)) {
            Tenure first = engine.tenures().claim("first", "h", MINUTE).orElseThrow();
            moment.prepare(database);
            hooks.once(moment.point, () -> end.end.accept(set.primary()));

            assertClaimedOnce(engine, first);
        }
        hooks.verify();
    }

    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("The connection is closed after the commit was applied, and before a majority has it")
    void aClaimSurvivesAConnectionThatIsClosedAfterTheCommit(boolean retryWrites, ReplicaSet set, TestDatabase database)
            throws InterruptedException {
        List<StoppedReplication> noMajority = new ArrayList<>();
        try (LeaseEngine engine = engine(database, retryWrites, READ_TIMEOUT_MILLIS)) {
            Tenure first = engine.tenures().claim("first", "h", MINUTE).orElseThrow();
            hooks.forgetCommands();
            // The driver sends a lost commit a second time by itself; that is lost too.
            hooks.always(Hooks.Point.BEFORE_COMMIT, () -> {
                switch (hooks.commands("commitTransaction").size()) {
                    case 1 -> noMajority.add(set.stopReplication());
                    case 3 -> {
                        assertThat(primaryShows(database, "name")).isTrue();
                        noMajority.forEach(StoppedReplication::close);
                    }
                    default -> {}
                }
            });

            assertClaimedOnce(engine, first);

            assertThat(hooks.transactions())
                    .as("the claim, and the extend: not tried again")
                    .hasSize(2);
        } finally {
            noMajority.forEach(StoppedReplication::close);
        }
        hooks.verify();
    }

    /** Also what no majority has. */
    private static boolean primaryShows(TestDatabase database, String name) {
        return database.database()
                        .getCollection("leases")
                        .withReadConcern(ReadConcern.LOCAL)
                        .countDocuments(Filters.eq("_id", "billing#" + name))
                == 1;
    }

    private static void assertClaimedOnce(LeaseEngine engine, Tenure first) throws InterruptedException {
        Tenure tenure = engine.tenures().claim("name", "h", MINUTE).orElseThrow();

        assertThat(tenure.token()).isEqualTo(1);
        assertThat(engine.tenures().isHeld(tenure)).isTrue();
        assertThat(engine.tenures().extend(first, Duration.ofMinutes(2)).isGranted())
                .isTrue();
        assertThat(engine.leases())
                .extracting(state -> ((LeaseState.Held) state).tenure())
                .containsExactly(first, tenure);
    }
}
