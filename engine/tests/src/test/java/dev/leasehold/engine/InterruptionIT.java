package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A thread that calls the engine is interrupted. */
class InterruptionIT extends WithAnEngine {

    @Test
    @DisplayName("TX-11: a caller interrupted while waiting for its turn leaves, and its operation is never sent")
    void interruptedWhileWaiting() throws Exception {
        registered();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            busy.countDown();
            await(gone);
        });
        Future<Tenure> first = callers.submit(() -> a.claims("first", "h", ofSeconds(60)));
        await(busy);
        CompletableFuture<Thread> second = new CompletableFuture<>();
        Future<LeaseResult> answer = callers.submit(() -> {
            second.complete(Thread.currentThread());
            return a.engine().tenures().claim("second", "h", ofSeconds(60));
        });
        a.runtime().untilCallersWait(2);

        get(second).interrupt();

        assertThatThrownBy(() -> get(answer)).cause().isInstanceOf(InterruptedException.class);
        gone.countDown();
        get(first);
        a.claims("third", "h", ofSeconds(60));
        assertThat(engines.leaseDocument("second")).isNull();
        assertThat(a.hooks().transactions().toString()).doesNotContain("second");
    }

    @Test
    @DisplayName("TX-11: a caller interrupted just before its commit leaves, the commit is withheld, and others go on")
    void interruptedBeforeTheCommit() throws Exception {
        registered();
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Thread> impatient = new CompletableFuture<>();
        List<Future<LeaseResult>> answers = new CopyOnWriteArrayList<>();
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            busy.countDown();
            a.runtime().untilCallersWait(3);
            a.hooks().once(Point.AFTER_UPDATE, () -> {
                get(impatient).interrupt();
                assertThatThrownBy(() -> get(answers.get(0))).cause().isInstanceOf(InterruptedException.class);
            });
        });
        Future<Tenure> first = callers.submit(() -> a.claims("first", "h", ofSeconds(60)));
        await(busy);
        answers.add(callers.submit(() -> {
            impatient.complete(Thread.currentThread());
            return a.engine().tenures().claim("second", "h", ofSeconds(60));
        }));
        answers.add(callers.submit(() -> a.engine().tenures().claim("third", "h", ofSeconds(60))));

        get(first);
        granted(get(answers.get(1)));

        assertThat(engines.leaseDocument("second")).isNull();
        assertThat(engines.shortForm("third")).isEqualTo("h/1");
        assertThat(a.hooks().commands("abortTransaction")).hasSize(1);
    }

    @Test
    @DisplayName("TX-11: a caller interrupted while its commit is under way is answered, and keeps the flag")
    void interruptedWhileCommitting() throws Exception {
        registered();
        Thread caller = Thread.currentThread();
        a.hooks().once(Point.BEFORE_COMMIT, caller::interrupt);

        LeaseResult answer;
        boolean flag;
        try {
            answer = a.engine().tenures().claim("name", "h", ofSeconds(60));
        } finally {
            flag = Thread.interrupted();
        }

        assertThat(flag).isTrue();
        assertThat(a.engine().tenures().isHeld(granted(answer))).isTrue();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }
}
