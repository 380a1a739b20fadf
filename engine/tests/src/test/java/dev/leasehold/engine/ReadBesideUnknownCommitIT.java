package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A commit whose answer was lost is sent again, before anything else may end its transaction. */
class ReadBesideUnknownCommitIT extends WithAnEngine {

    @Test
    @DisplayName("A read that comes while the outcome of a commit is unknown does not take its certainty away")
    void aReadWhileTheOutcomeOfACommitIsUnknown() throws Exception {
        registered();
        List<Future<LeaseState>> reads = new CopyOnWriteArrayList<>();
        ActiveFailPoint lost = engines.database()
                .activate(FailPoint.failCommands("commitTransaction")
                        .closingConnection()
                        .times(4)
                        .forAppName(engines.database().name()));
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            reads.add(callers.submit(() -> a.sees("before")));
            a.runtime().untilCallersWait(2);
        });

        assertThat(a.claims("name", "h", ofSeconds(60)).token()).isEqualTo(1);

        assertThat(get(reads.get(0)).status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(lost.timesEntered()).isEqualTo(4);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }
}
