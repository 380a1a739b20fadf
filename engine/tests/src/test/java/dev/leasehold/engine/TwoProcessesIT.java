package dev.leasehold.engine;

import static dev.leasehold.engine.world.TestClock.Z;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Two processes with the default settings, whose clocks are almost two hours apart, compete for one lease. The clocks run at
 * the same rate: a wait is a wait on both.
 */
@WithReplicaSet
class TwoProcessesIT {

    private static final long SECOND = 1_000_000_000L;
    /** 60 s at 1000 ppm, from the end of a read that took no time. */
    private static final long BOUND_NANOS = 60_120_120_121L;

    private record Competitor(ChildProcess process, String holder, long startNanos) {

        String does(String order) throws InterruptedException {
            return process.does(order);
        }
    }

    private final SchemaCheck schema = new SchemaCheck();
    private TestDatabase database;
    private Competitor ahead;
    private Competitor behind;

    @BeforeEach
    void start(TestDatabase database) throws IOException, InterruptedException {
        this.database = database;
        Engines.beginTokensAtOne(database, 1);
        ahead = start("ahead", 3_600);
        behind = start("behind", -3_333);
    }

    private Competitor start(String name, long offsetSeconds) throws IOException, InterruptedException {
        return new Competitor(
                ChildProcess.start(database, name, Duration.ofSeconds(offsetSeconds)),
                name,
                Z + offsetSeconds * SECOND);
    }

    @AfterEach
    void end() throws InterruptedException {
        try {
            ahead.process().end();
        } finally {
            behind.process().end();
        }
        checkSchema();
    }

    private void checkSchema() {
        schema.check(database.database().getCollection(Engines.COLLECTION, BsonDocument.class));
    }

    private void bothWait(long nanos) throws InterruptedException {
        checkSchema();
        ahead.does("advance " + nanos);
        behind.does("advance " + nanos);
    }

    /** Both claim at once. The winner comes first. */
    private Competitor[] compete() throws InterruptedException {
        ahead.process().order("claim job ahead 60");
        behind.process().order("claim job behind 60");
        String answerOfAhead = ahead.process().answer();
        String answerOfBehind = behind.process().answer();
        boolean aheadWon = answerOfAhead.startsWith("granted");
        Competitor loser = aheadWon ? behind : ahead;
        assertThat(aheadWon ? answerOfAhead : answerOfBehind).isEqualTo("granted 1");
        assertThat(aheadWon ? answerOfBehind : answerOfAhead)
                .isEqualTo("refused HELD " + (loser.startNanos() + BOUND_NANOS));
        return aheadWon ? new Competitor[] {ahead, behind} : new Competitor[] {behind, ahead};
    }

    private long reportsUnder(long token) {
        return database.database().getCollection("reports").countDocuments(new Document("token", token));
    }

    @Test
    @DisplayName(
            "The loser takes over after the bound on its own clock, and the first holder's work is refused from then on")
    void theLoserTakesOverAfterTheBound() throws InterruptedException {
        Competitor[] order = compete();
        Competitor first = order[0];
        Competitor second = order[1];
        String firstTenure = " job " + first.holder() + " 1";
        assertThat(first.does("gated" + firstTenure)).isEqualTo("committed");
        assertThat(first.does("isHeld" + firstTenure)).isEqualTo("true");

        bothWait(BOUND_NANOS);
        String tooEarly = second.does("takeOver job " + second.holder() + " 60");
        assertThat(tooEarly).isEqualTo("refused NOT_EXPIRED " + (second.startNanos() + BOUND_NANOS));
        assertThat(first.does("isHeld" + firstTenure)).isEqualTo("false");
        assertThat(first.does("gated" + firstTenure)).isEqualTo("committed");

        bothWait(1);
        assertThat(second.does("takeOver job " + second.holder() + " 60")).isEqualTo("granted 2");
        String secondTenure = " job " + second.holder() + " 2";
        assertThat(first.does("gated" + firstTenure)).isEqualTo("not held");
        assertThat(second.does("gated" + secondTenure)).isEqualTo("committed");
        assertThat(second.does("isHeld" + secondTenure)).isEqualTo("true");

        assertThat(second.does("release" + secondTenure)).isEqualTo("granted 2");
        assertThat(first.does("claim job " + first.holder() + " 60")).isEqualTo("granted 3");
        assertThat(second.does("gated" + secondTenure)).isEqualTo("not held");
        assertThat(reportsUnder(1)).isEqualTo(2);
        assertThat(reportsUnder(2)).isEqualTo(1);
    }

    @Test
    @DisplayName("The lease of a killed process is taken over after the bound, and not before")
    void theLeaseOfAKilledProcess() throws InterruptedException {
        Competitor[] order = compete();
        Competitor heir = order[1];
        order[0].process().kill();
        checkSchema();

        heir.does("advance " + BOUND_NANOS);
        assertThat(heir.does("takeOver job heir 60")).startsWith("refused NOT_EXPIRED");
        heir.does("advance 1");
        assertThat(heir.does("takeOver job heir 60")).isEqualTo("granted 2");
    }
}
