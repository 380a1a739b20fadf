package dev.leasehold.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Callers on virtual threads, far more of them than the machine has processors. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsIT extends WithEngines {

    private ExecutorService callers;
    private TestEngine a;

    /** By name, because the module is compiled for a Java without them. */
    @BeforeEach
    void startOne() throws ReflectiveOperationException {
        callers = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        a = engines.start("a");
    }

    @AfterEach
    void endCallers() {
        callers.shutdownNow();
    }

    @Test
    void aThousandVirtualThreadsClaimAtOnce() throws Exception {
        List<Future<LeaseResult>> claims = new ArrayList<>();
        for (int number = 0; number < 1_000; number++) {
            String name = "lease " + number;
            claims.add(callers.submit(() -> a.engine().tenures().claim(name, "h", ofSeconds(60))));
        }

        for (Future<LeaseResult> claim : claims) {
            assertThat(claim.get(60, TimeUnit.SECONDS).isGranted()).isTrue();
        }
    }

    @Test
    @DisplayName("Virtual threads wait, one after the other, and never two at a time")
    void virtualThreadsWait() throws Exception {
        int waiters = 200;
        Lease lease = engines.start("holder").acquires("name");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Future<?>> ends = new ArrayList<>();
        for (int number = 0; number < waiters; number++) {
            ends.add(callers.submit(() -> {
                try (Lease next = a.engine().acquire(LeaseRequest.of("name").waitAtMost(ofHours(1)))) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    return next.token();
                }
            }));
        }
        await().until(() -> a.engine().health().waiters() == waiters);

        lease.close();

        for (Future<?> end : ends) {
            end.get(60, TimeUnit.SECONDS);
        }
        assertThat(most).hasValue(1);
        assertThat(engines.shortForm("name")).isEqualTo("-/" + (waiters + 1));
    }
}
