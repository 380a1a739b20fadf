package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class LeaderExampleIT {

    private final LeaseEngine engine;
    private final LeaseEngine standby;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> tokens = new LinkedBlockingQueue<>();

    LeaderExampleIT(TestDatabase database) {
        engine = ExampleEngine.start(database);
        standby = ExampleEngine.start(database);
    }

    @AfterEach
    void close() {
        engine.close();
        standby.close();
    }

    private final class Work implements LeaderExample.Work {

        private final String process;

        Work(String process) {
            this.process = process;
        }

        @Override
        public void start(Lease lease) {
            tokens.add(lease.token());
            heard.add(process + " starts");
        }

        @Override
        public void stop() {
            heard.add(process + " stops");
        }
    }

    private String hears() throws InterruptedException {
        return heard.poll(60, TimeUnit.SECONDS);
    }

    @Test
    void oneLeadsAfterTheOtherHasStopped() throws InterruptedException {
        LeaderElection first = LeaderExample.standBy(engine, new Work("first"));
        assertThat(hears()).isEqualTo("first starts");
        LeaderExample.standBy(standby, new Work("second"));

        first.close();

        assertThat(hears()).isEqualTo("first stops");
        assertThat(hears()).isEqualTo("second starts");
        assertThat(tokens.remove() + 1).isEqualTo(tokens.remove());
    }

    @Test
    void theSameLeadsAgainAfterALoss() throws InterruptedException {
        LeaderExample.standBy(engine, new Work("only"));
        assertThat(hears()).isEqualTo("only starts");

        standby.admin().forceExpire("leader", "a test");

        assertThat(hears()).isEqualTo("only stops");
        assertThat(hears()).isEqualTo("only starts");
        // the forced expiry took a token as well
        assertThat(tokens.remove() + 2).isEqualTo(tokens.remove());
    }
}
