package dev.leasehold.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorldTest {

    private static final long SECOND = 1_000_000_000;

    private final Workers workers = new Workers();
    private final World world = new World(workers);
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void letTheThreadsGo() {
        workers.close();
    }

    private Host host(long ppb) {
        return world.addHost(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, ppb)))), 1);
    }

    private void see(String what) {
        seen.add(what + "@" + world.nowNanos());
    }

    private static void pause(Program program, long nanos) {
        program.pause(nanos);
    }

    @Test
    void whatHappensAtTheSameInstantHappensInTheOrderInWhichItWasAskedFor() {
        world.at(5, () -> see("second"));
        world.at(3, () -> see("first"));
        world.at(5, () -> see("third"));

        world.run();

        assertThat(seen).containsExactly("first@3", "second@5", "third@5");
    }

    @Test
    void whatIsAskedForAtAnInstantComesBehindWhatWasAskedForBefore() {
        world.at(5, () -> {
            see("first");
            world.at(5, () -> see("third"));
            world.at(6, () -> see("last"));
            world.at(4, () -> see("too late for its time"));
        });
        world.at(5, () -> see("second"));

        world.run();

        assertThat(seen).containsExactly("first@5", "second@5", "third@5", "too late for its time@5", "last@6");
    }

    @Test
    void whoWaitsOnAClockThatIsStoppedMeanwhileWaitsForLonger() {
        Host host = host(0);
        Program program = host.startProgram();
        program.start("waits", () -> {
            pause(program, 10);
            see("waited");
        });
        world.at(4, () -> host.clock().stop(4, 100));

        world.run();

        assertThat(seen).containsExactly("waited@106");
    }

    @Test
    void programsWaitOnTheirOwnClocks() {
        Program fast = host(1_000_000).startProgram();
        Program slow = host(-1_000_000).startProgram();
        slow.start("slow", () -> {
            pause(slow, 999_000_000);
            see("slow");
        });
        fast.start("fast", () -> {
            pause(fast, 1_001_000_000);
            see("fast");
        });

        world.run();

        assertThat(seen).containsExactly("slow@1000000000", "fast@1000000000");
    }

    @Test
    void whoeverWaitsForAFutureGoesOnWhenItIsComplete() {
        Program program = host(0).startProgram();
        CompletableFuture<Void> future = new CompletableFuture<>();
        program.start("waits", () -> see("complete " + program.await(future, SECOND)));
        program.start("tires", () -> see("complete " + program.await(new CompletableFuture<>(), 9)));
        world.at(7, () -> future.complete(null));

        world.run();

        assertThat(seen).containsExactly("complete true@7", "complete false@9");
    }

    @Test
    void aMachineThatSleepsMakesNoStepAndGoesOnInOrder() {
        Host host = host(0);
        Program program = host.startProgram();
        program.start("actor", () -> {
            pause(program, 5);
            see("actor");
        });
        program.afterLocal(6, () -> see("step"));
        world.at(1, () -> host.sleep(100));

        world.run();

        assertThat(seen).containsExactly("actor@100", "step@100");
    }

    @Test
    void aCrashEndsWhatIsUnderWayAndNothingOfItHasAnEffectAnyMore() {
        Host host = host(0);
        Program program = host.startProgram();
        program.start("actor", () -> {
            try {
                pause(program, 10);
                see("never");
            } finally {
                program.soon(() -> see("nor this"));
            }
        });
        program.afterLocal(20, () -> see("nor that"));
        world.at(5, host::crash);
        world.at(30, () -> see("end"));

        world.run();

        assertThat(seen).containsExactly("end@30");
    }

    @Test
    void aProgramThatCrashesItselfMakesNoFurtherStep() {
        Host host = host(0);
        Program program = host.startProgram();
        program.start("actor", () -> {
            host.crash();
            pause(program, 1);
            see("never");
        });

        world.run();

        assertThat(seen).isEmpty();
    }

    @Test
    void theEndUnwindsWhatStillWaits() {
        Program program = host(0).startProgram();
        List<String> unwound = new ArrayList<>();
        program.start("waits", () -> {
            try {
                pause(program, 10 * SECOND);
            } finally {
                unwound.add("waits");
            }
        });
        world.at(SECOND, world::end);

        world.run();

        assertThat(unwound).containsExactly("waits");
        assertThat(world.nowNanos()).isEqualTo(SECOND);
    }

    @Test
    void whatRunsInCirclesIsStopped() {
        Program program = host(0).startProgram();
        program.start("circles", () -> {
            while (true) {
                program.await(new CompletableFuture<>(), 0);
            }
        });

        world.run();

        assertThat(world.events()).anyMatch(event -> event instanceof Event.Exceeded);
    }

    @Test
    void aStepThatWaitsIsFoundOut() {
        Program program = host(0).startProgram();
        program.soon(() -> pause(program, 1));

        world.run();

        assertThat(world.events()).anyMatch(event -> event instanceof Event.Broken);
    }

    @Test
    void aFailureOfTheWorldItselfIsNoFinding() {
        world.at(1, () -> {
            throw new IllegalArgumentException("of the simulator");
        });

        assertThatThrownBy(world::run).hasRootCauseMessage("of the simulator");
    }

    @Test
    void aStrangerCannotWait() {
        Program program = host(0).startProgram();

        assertThatThrownBy(() -> pause(program, 1)).hasMessageContaining("none of the program's");
    }

    @Test
    void theThreadsAreUsedAgain() {
        for (int i = 0; i < 3; i++) {
            World next = new World(workers);
            Program program = next.addHost(new MachineClock(new Machine(0, 0, 1, List.of())), 1)
                    .startProgram();
            program.start("first", () -> pause(program, 2));
            program.start("second", () -> pause(program, 1));
            next.run();
            assertThat(next.nowNanos()).isEqualTo(2);
        }
    }
}
