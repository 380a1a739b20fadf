package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

@WithReplicaSet
class LeaderIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    static class Step {

        /** Runs under the lease of the leader's method that calls it. */
        @Leased(name = "poller", shared = true)
        public Integer step() {
            return 1;
        }
    }

    static class Poller {

        private final Step step;
        private final AtomicInteger runs = new AtomicInteger();
        private final List<String> events = new CopyOnWriteArrayList<>();
        private final List<Long> tokens = new CopyOnWriteArrayList<>();

        Poller(Step step) {
            this.step = step;
        }

        @Scheduled(fixedDelay = 20)
        @LeaderOnly("poller")
        public void poll() {
            LeaseHolder.requireHeld();
            runs.addAndGet(step.step());
        }

        @EventListener
        void granted(LeaderGranted granted) {
            events.add("granted " + granted.election());
            tokens.add(granted.lease().token());
        }

        @EventListener
        void lost(LeaderLost lost) {
            events.add("lost " + lost.election() + " " + lost.loss().reason());
        }

        int runs() {
            return runs.get();
        }

        List<String> events() {
            return List.copyOf(events);
        }

        List<Long> tokens() {
            return List.copyOf(tokens);
        }
    }

    @EnableScheduling
    static class WithPoller {
        @Bean
        Step step() {
            return new Step();
        }

        @Bean
        Poller poller(Step step) {
            return new Poller(step);
        }
    }

    @Test
    void scheduledMethodRunsOnTheLeaderAloneAndOnTheNextOneAfterIt(TestDatabase database) {
        try (ConfigurableApplicationContext first = Application.start(database, WithPoller.class)) {
            Poller leader = first.getBean(Poller.class);
            await().atMost(LIMIT).until(() -> leader.runs() > 2);
            try (ConfigurableApplicationContext second = Application.start(database, WithPoller.class)) {
                Poller standby = second.getBean(Poller.class);
                LeaderElections elections = second.getBean(LeaderElections.class);
                int before = leader.runs();
                await().atMost(LIMIT).until(() -> leader.runs() > before + 5);
                assertThat(standby.runs()).isZero();
                assertThat(elections.isLeader("poller")).isFalse();

                Application.stop(first);

                await().atMost(LIMIT).until(() -> standby.runs() > 0);
                assertThat(elections.isLeader("poller")).isTrue();
                assertThat(leader.events()).containsExactly("granted poller", "lost poller CLOSED");
                assertThat(standby.events()).containsExactly("granted poller");
                assertThat(standby.tokens()).containsExactly(leader.tokens().get(0) + 1);
            }
        }
    }

    @Test
    @DisplayName("a leader hands over to the instance that is named, and yields to a process with a higher priority")
    void leaderStepsDownToAnotherAndYields(TestDatabase database) throws Exception {
        String yields = "leasehold.election-yields=true";
        try (ConfigurableApplicationContext first =
                        Application.start(database, WithPoller.class, "leasehold.instance=first", yields);
                ConfigurableApplicationContext second =
                        Application.start(database, WithPoller.class, "leasehold.instance=second", yields)) {
            LeaderElections leader = first.getBean(LeaderElections.class);
            LeaderElections standby = second.getBean(LeaderElections.class);
            await().atMost(LIMIT).until(() -> leader.isLeader("poller"));
            await().atMost(LIMIT)
                    .until(() -> !first.getBean(LeaseEngine.class)
                            .admin()
                            .waiters("poller")
                            .isEmpty());

            assertThat(leader.stepDownTo("poller", "second")
                            .toCompletableFuture()
                            .get(1, TimeUnit.MINUTES))
                    .isTrue();

            await().atMost(LIMIT).until(() -> standby.isLeader("poller"));
            assertThat(leader.stepDownTo("poller", "second")
                            .toCompletableFuture()
                            .get(1, TimeUnit.MINUTES))
                    .isFalse();
            assertThat(leader.stepDownTo("unknown", "second").toCompletableFuture())
                    .isCompletedWithValue(false);
            try (ConfigurableApplicationContext preferred = Application.start(
                    database,
                    WithPoller.class,
                    "leasehold.instance=preferred",
                    "leasehold.election-priority=1",
                    yields)) {
                LeaderElections third = preferred.getBean(LeaderElections.class);
                await().atMost(LIMIT).until(() -> third.isLeader("poller"));
            }
        }
    }

    @Test
    void leaderThatIsEndedByForceCampaignsAgain(TestDatabase database) throws InterruptedException {
        try (ConfigurableApplicationContext only = Application.start(database, WithPoller.class)) {
            Poller poller = only.getBean(Poller.class);
            await().atMost(LIMIT).until(() -> poller.runs() > 0);

            only.getBean(LeaseEngine.class)
                    .admin()
                    .forceExpire("poller", "test")
                    .orElseThrow();

            await().atMost(LIMIT).until(() -> poller.events().size() == 3);
            assertThat(poller.events()).containsExactly("granted poller", "lost poller TAKEN_OVER", "granted poller");
            assertThat(poller.tokens()).hasSize(2);
            // The end by force had one of its own.
            assertThat(poller.tokens().get(1)).isEqualTo(poller.tokens().get(0) + 2);
        }
    }
}
