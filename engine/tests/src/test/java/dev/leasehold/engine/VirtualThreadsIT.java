package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Callers on virtual threads, far more of them than the machine has processors. */
@WithReplicaSet
class VirtualThreadsIT {

    private static final int CALLERS = 1_000;

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void aThousandVirtualThreadsClaimAtOnce(TestDatabase database) throws Exception {
        ExecutorService callers = oneVirtualThreadPerTask();
        try (Engines engines = new Engines(database)) {
            TestEngine a = engines.start("a");
            List<Future<LeaseResult>> claims = new ArrayList<>();
            for (int number = 0; number < CALLERS; number++) {
                String name = "lease " + number;
                claims.add(callers.submit(() -> a.engine().tenures().claim(name, "h", ofSeconds(60))));
            }

            for (Future<LeaseResult> claim : claims) {
                assertThat(claim.get(60, TimeUnit.SECONDS).isGranted()).isTrue();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    /** By name, because the module is compiled for a Java without them. */
    private static ExecutorService oneVirtualThreadPerTask() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
}
