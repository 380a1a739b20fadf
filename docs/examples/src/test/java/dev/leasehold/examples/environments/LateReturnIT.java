package dev.leasehold.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Eleven steps after which a naive repository lets two instances have one environment. Three processes, of which one is frozen. */
@WithReplicaSet
class LateReturnIT {

    private static final long LIMIT_NANOS = Duration.ofSeconds(60).toNanos();
    private static final String ACQUIRE = "acquire staging verification";

    private static String acquireWhenItIsUp(InstanceProcess instance) throws Exception {
        long startNanos = System.nanoTime();
        String answer = instance.ask(ACQUIRE);
        while (answer.startsWith("refused") && System.nanoTime() - startNanos < LIMIT_NANOS) {
            answer = instance.ask(ACQUIRE);
        }
        return answer;
    }

    private static String holder(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace(EnvironmentInstance.NAMESPACE)
                .build()) {
            return engine.refresh(List.of("staging")).get(0) instanceof LeaseState.Held held
                    ? held.tenure().holder()
                    : "no holder";
        }
    }

    @Test
    void aLeaseThatIsReturnedLateIsNotTheOneThatIsEnded(TestDatabase database) throws Exception {
        Duration brief = Duration.ofSeconds(1);
        Duration ample = Duration.ofMinutes(5);
        try (InstanceProcess a = InstanceProcess.start("A", database.uri(), database.name(), brief);
                InstanceProcess b = InstanceProcess.start("B", database.uri(), database.name(), ample);
                InstanceProcess c = InstanceProcess.start("C", database.uri(), database.name(), ample)) {
            assertThat(a.ask(ACQUIRE)).as("1 and 2: A asks, and is granted").isEqualTo("granted FREE");
            a.freeze(); // 3: A wedges

            assertThat(acquireWhenItIsUp(b))
                    .as("4, 5 and 6: the duration passes, B asks and is granted")
                    .isEqualTo("granted EXPIRED");

            a.tell("close");
            a.wake(); // 7: A comes unstuck
            assertThat(a.answer()).as("8: A returns its lease").isEqualTo("closed");
            assertThat(holder(database)).as("9: the record is B's").isEqualTo("B");
            assertThat(c.ask(ACQUIRE))
                    .as("10 and 11: C asks, and is refused")
                    .startsWith("refused")
                    .contains("'B'");
            assertThat(b.ask("held")).as("B keeps it").isEqualTo("held true");
        }
    }
}
