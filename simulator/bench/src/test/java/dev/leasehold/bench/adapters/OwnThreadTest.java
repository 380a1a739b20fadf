package dev.leasehold.bench.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class OwnThreadTest {

    @Test
    void aLockIsGivenUpByTheThreadThatTookItWhicheverAsks() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        try (OwnThread thread = new OwnThread("holder")) {
            boolean taken =
                    CompletableFuture.supplyAsync(() -> ask(thread, lock)).get();

            assertThat(taken).isTrue();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(thread.call(lock::isHeldByCurrentThread)).isTrue();
        }
    }

    private static boolean ask(OwnThread thread, ReentrantLock lock) {
        try {
            return thread.call(() -> lock.tryLock());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsThrownThereIsThrownHere() {
        IOException thrown = new IOException("no such server");
        try (OwnThread thread = new OwnThread("holder")) {
            assertThatThrownBy(() -> thread.call(() -> {
                        throw thrown;
                    }))
                    .isSameAs(thrown);
        }
    }
}
