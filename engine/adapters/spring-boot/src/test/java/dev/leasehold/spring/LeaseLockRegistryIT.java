package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.test.util.ReflectionTestUtils;

@WithReplicaSet
class LeaseLockRegistryIT {

    private ConfigurableApplicationContext first;
    private ConfigurableApplicationContext second;
    private LockRegistry<?> here;
    private LockRegistry<?> there;

    static class Nothing {}

    @BeforeEach
    void start(TestDatabase database) {
        first = Application.start(database, Nothing.class);
        second = Application.start(database, Nothing.class);
        here = first.getBean(LockRegistry.class);
        there = second.getBean(LockRegistry.class);
    }

    @AfterEach
    void stop() {
        second.close();
        first.close();
    }

    @Test
    void lockExcludesOtherProcessesAndOtherThreadsAndIsReentrant() throws Exception {
        Lock lock = here.obtain("stock");
        lock.lock();
        assertThat(lock.tryLock()).as("reentrant").isTrue();
        assertThat(there.obtain("stock").tryLock()).isFalse();
        assertThat(CompletableFuture.supplyAsync(() -> here.obtain("stock").tryLock())
                        .get())
                .isFalse();

        lock.unlock();
        assertThat(there.obtain("stock").tryLock()).as("still locked once").isFalse();
        lock.unlock();

        assertThat(there.obtain("stock").tryLock(60, TimeUnit.SECONDS)).isTrue();
        there.obtain("stock").unlock();
    }

    @Test
    void lostLockIsToldWhereItIsUnlocked() throws Exception {
        Lock lock = here.obtain("stock");
        lock.lock();
        second.getBean(LeaseEngine.class).admin().forceExpire("stock", "test").orElseThrow();
        there.obtain("stock").lock();
        while (first.getBean(LeaseEngine.class).health().heldLeases() > 0) {
            Thread.onSpinWait();
        }

        assertThatThrownBy(lock::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasMessageContaining("stock");
        there.obtain("stock").unlock();
    }

    private void loseAndLetTheOtherProcessLock() throws InterruptedException {
        second.getBean(LeaseEngine.class).admin().forceExpire("stock", "test").orElseThrow();
        there.obtain("stock").lock();
        await().until(() -> first.getBean(LeaseEngine.class).health().heldLeases() == 0);
    }

    @Test
    @DisplayName("A lock that was lost cannot be locked again by the thread that had it, and is unlocked with an error")
    void lostLockIsToldWhereItIsLockedAgain() throws Exception {
        Lock lock = here.obtain("stock");
        lock.lock();
        lock.lock();
        loseAndLetTheOtherProcessLock();

        assertThat(lock.tryLock()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThat(lock.tryLock(10, TimeUnit.MILLISECONDS)).as("held elsewhere").isFalse();

        there.obtain("stock").unlock();
        assertThat(lock.tryLock(60, TimeUnit.SECONDS)).as("anew").isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("A thread that waits for a lock which it had and has lost gets an error, whichever way it waits")
    void lostLockIsToldByEveryWayToLock() throws Exception {
        Lock lock = here.obtain("stock");
        lock.lock();
        loseAndLetTheOtherProcessLock();
        assertThatThrownBy(lock::lock).isInstanceOf(ConcurrentModificationException.class);
        there.obtain("stock").unlock();

        lock.lock();
        loseAndLetTheOtherProcessLock();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(ConcurrentModificationException.class);
        there.obtain("stock").unlock();

        lock.lock();
        lock.lock();
        loseAndLetTheOtherProcessLock();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        there.obtain("stock").unlock();
    }

    @Test
    @DisplayName("Of two leader initiators the one that has lost its lock steps down, and may lead again")
    void leaderInitiatorStepsDown() throws Exception {
        LockRegistryLeaderInitiator one = initiator(here, first);
        LockRegistryLeaderInitiator other = initiator(there, second);
        one.start();
        await().until(() -> one.getContext().isLeader());
        other.start();

        second.getBean(LeaseEngine.class).admin().forceExpire("stock", "test").orElseThrow();

        await().until(() -> other.getContext().isLeader());
        await().until(() -> !one.getContext().isLeader());
        other.stop();
        await().until(() -> one.getContext().isLeader());
        one.stop();
    }

    private static LockRegistryLeaderInitiator initiator(LockRegistry<?> locks, ApplicationEventPublisher events) {
        LockRegistryLeaderInitiator initiator =
                new LockRegistryLeaderInitiator(locks, new DefaultCandidate("instance", "stock"));
        initiator.setHeartBeatMillis(50);
        initiator.setBusyWaitMillis(50);
        initiator.setApplicationEventPublisher(events);
        initiator.setLeaderEventPublisher(new DefaultLeaderEventPublisher(events));
        return initiator;
    }

    @Test
    @DisplayName("A lock with a time to live is lost when that is over, and another process locks it")
    void timeToLive() throws Exception {
        DistributedLock lock = (DistributedLock) here.obtain("stock");
        lock.lock(Duration.ofSeconds(3));
        assertThat(there.obtain("stock").tryLock()).isFalse();

        assertThat(there.obtain("stock").tryLock(60, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.tryLock()).as("again, by the thread that has lost it").isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        there.obtain("stock").unlock();

        assertThat(lock.tryLock(Duration.ofSeconds(60), Duration.ofMinutes(10))).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("The time to live of a lock ends though work of the application fills the common pool")
    void timeToLiveBesideABusyPool() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
            ForkJoinPool.commonPool().submit(() -> over.await(120, TimeUnit.SECONDS));
        }
        try {
            ((DistributedLock) here.obtain("stock")).lock(Duration.ofSeconds(1));

            assertThat(there.obtain("stock").tryLock(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            over.countDown();
        }
    }

    @Test
    @DisplayName("A lock that was unlocked before its time to live was over leaves nothing in memory")
    void unlockedLockIsForgotten() {
        DistributedLock lock = (DistributedLock) here.obtain("stock");
        lock.lock(Duration.ofDays(1));
        ((RenewableLockRegistry<?>) here).renewLock("stock");
        WeakReference<Object> lease = new WeakReference<>(ReflectionTestUtils.getField(lock, "lease"));

        lock.unlock();

        await().atMost(Duration.ofSeconds(60)).until(() -> {
            System.gc();
            return lease.get() == null;
        });
    }

    @Test
    @DisplayName("A renewal puts the end of a time to live off, and needs the lock")
    void renewalPutsTheEndOff() throws Exception {
        RenewableLockRegistry<?> registry = (RenewableLockRegistry<?>) here;
        DistributedLock lock = (DistributedLock) registry.obtain("stock");
        assertThatThrownBy(() -> registry.renewLock("stock")).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> registry.renewLock("other")).isInstanceOf(IllegalMonitorStateException.class);

        lock.lock(Duration.ofSeconds(20));
        registry.renewLock("stock", Duration.ofDays(1));
        registry.renewLock("stock");
        assertThatThrownBy(() -> CompletableFuture.runAsync(() -> registry.renewLock("stock"))
                        .join())
                .hasCauseInstanceOf(IllegalMonitorStateException.class);
        assertThat(there.obtain("stock").tryLock(25, TimeUnit.SECONDS))
                .as("past the first end")
                .isFalse();
        lock.unlock();

        lock.lock();
        registry.renewLock("stock");
        loseAndLetTheOtherProcessLock();
        assertThatThrownBy(() -> registry.renewLock("stock"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stock");
        there.obtain("stock").unlock();
    }

    @Test
    @DisplayName("A time to live that is no time is refused, and nothing is locked")
    void noTimeToLiveIsRefused() throws Exception {
        DistributedLock lock = (DistributedLock) here.obtain("stock");
        assertThatThrownBy(() -> lock.lock(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> lock.tryLock(Duration.ZERO, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(there.obtain("stock").tryLock()).isTrue();
        there.obtain("stock").unlock();
    }

    @Test
    @DisplayName("A key that is no name of a lease is locked by its digest")
    void anyKeyCanBeLocked() {
        for (String key : List.of("x".repeat(513), "two\nlines", "\ud800")) {
            here.obtain(key).lock();
            assertThat(there.obtain(key).tryLock()).isFalse();
            here.obtain(key).unlock();
        }
        assertThatThrownBy(() -> here.obtain(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyTheThreadThatLockedUnlocks() {
        assertThatThrownBy(() -> here.obtain("stock").unlock()).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> here.obtain(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("7");
    }

    @Test
    void unusedLocksAreForgottenAndUsedOnesKept() {
        Lock used = here.obtain("used");
        used.lock();
        Lock unused = here.obtain("unused");
        ((LeaseLockRegistry) here).expireUnusedOlderThan(-1_000);
        assertThat(here.obtain("used")).isSameAs(used);
        assertThat(here.obtain("unused")).isNotSameAs(unused);
        used.unlock();
    }
}
