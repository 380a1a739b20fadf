package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.support.locks.LockRegistry;

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
