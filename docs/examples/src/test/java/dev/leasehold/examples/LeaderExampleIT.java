package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class LeaderExampleIT {

    private final LeaseEngine engine;
    private final LeaseEngine standby;
    private final BlockingQueue<Long> terms = new LinkedBlockingQueue<>();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    LeaderExampleIT(TestDatabase database) {
        engine = ExampleEngine.start(database);
        standby = ExampleEngine.start(database);
    }

    @AfterEach
    void close() throws InterruptedException {
        engine.close();
        standby.close();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void standsBy(LeaseEngine engine, Consumer<Lease> term) {
        Thread thread = new Thread(() -> {
            try {
                LeaderExample.standBy(engine, term, log::add);
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts", e);
            }
        });
        threads.add(thread);
        thread.start();
    }

    private void hear(Lease lease) {
        terms.add(lease.token());
    }

    @Test
    void oneTermFollowsTheOtherInWhateverProcess() throws InterruptedException {
        standsBy(engine, this::hear);
        standsBy(standby, this::hear);

        assertThat(List.of(terms.take(), terms.take(), terms.take(), terms.take()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void troubleEndsATermAndNotTheStandby() throws InterruptedException {
        standsBy(engine, lease -> {
            hear(lease);
            if (lease.token() == 1) {
                throw new LeaseStoreException("the first term went wrong", null);
            }
        });

        assertThat(List.of(terms.take(), terms.take())).containsExactly(1L, 2L);
        assertThat(log).containsExactly("trying again: the first term went wrong");
    }
}
