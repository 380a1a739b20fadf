package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.held.LeaseHandle;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.world.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Many holders, few leases, a database that fails in every way: what holds at every step, and what is left at the end. */
class HandlesPropertiesTest {

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final List<String> NAMES = List.of("one", "two");

    @Property(tries = 400, shrinking = ShrinkingMode.OFF)
    void holdersExcludeEachOtherAndEverybodyIsAnswered(
            @ForAll long seed, @ForAll @IntRange(min = 20, max = 120) int steps) {
        LogCapture quiet = new LogCapture();
        try {
            History history = new History(new Random(seed));
            for (int i = 0; i < steps; i++) {
                history.step();
                history.checkHoldersExcludeEachOther();
            }
            history.end();
        } finally {
            quiet.close();
        }
    }

    @Property(tries = 200, shrinking = ShrinkingMode.OFF)
    void whoCameFirstIsServedFirst(@ForAll long seed, @ForAll @IntRange(min = 2, max = 30) int waiters) {
        Random random = new Random(seed);
        FakeLeaseManager fake = new FakeLeaseManager();
        fake.operations.heldByAnother("one", "h2", 60 * SECOND);
        List<CompletableFuture<Acquisition>> line = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            line.add(fake.leaseManager
                    .tryAcquireAsync(LeaseRequest.of("one"), FakeLeaseManager.HOUR)
                    .toCompletableFuture());
            fake.runtime.runFor(random.nextInt(3) * SECOND);
        }
        line.removeIf(each -> random.nextInt(4) == 0 && each.cancel(false));
        fake.operations.vacate("one");
        fake.changes.tell(new LeaseChange.Freed("one"));
        for (CompletableFuture<Acquisition> next : line) {
            fake.runtime.runFor(10 * SECOND);
            assertThat(line.stream().filter(CompletableFuture::isDone)).hasSize(line.indexOf(next) + 1);
            next.join().orElseThrow().close();
        }
        fake.runtime.runFor(SECOND);
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    /** What happens, drawn from a seed. */
    private static final class History {
        private final Random random;
        private final FakeLeaseManager fake = new FakeLeaseManager();
        private final List<CompletableFuture<Acquisition>> asked = new ArrayList<>();
        private final List<Runnable> lateLandings = new ArrayList<>();

        History(Random random) {
            this.random = random;
            if (random.nextBoolean()) {
                fake.operations.takesTasksOfTheLoop();
            }
        }

        void step() {
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> ask();
                case 3 -> leases().stream().findFirst().ifPresent(lease -> ((LeaseHandle) lease).closeSoon());
                case 4 ->
                    asked.stream()
                            .skip(random.nextInt(asked.size() + 1))
                            .findFirst()
                            .ifPresent(each -> each.cancel(false));
                case 5, 6 -> fake.operations.script(this::trouble);
                case 7 -> takenOver();
                case 8 -> land();
                default -> fake.runtime.runFor(random.nextLong(20 * SECOND));
            }
            if (random.nextBoolean()) {
                fake.runtime.runDue();
            }
        }

        private void ask() {
            LeaseRequest request = LeaseRequest.of(NAMES.get(random.nextInt(2)));
            int holder = random.nextInt(4);
            request = holder == 0 ? request : request.holder("holder " + holder);
            request = random.nextBoolean() ? request : request.term(FakeLeaseManager.MINUTE);
            Duration wait = random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(random.nextInt(100));
            CompletableFuture<Acquisition> future =
                    fake.leaseManager.tryAcquireAsync(request, wait).toCompletableFuture();
            asked.add(future);
        }

        private void trouble(PendingOperation operation) {
            switch (random.nextInt(4)) {
                case 0 -> OperationEnds.fail(operation, new LeaseUnavailableException("scripted", null));
                case 1 -> OperationEnds.leaveUnknown(operation);
                case 2 -> {
                    // Committed in silence; how it ended is learned later.
                    if (OperationEnds.beginCommit(operation)) {
                        lateLandings.add(() -> fake.operations.landIfPossible(operation));
                    }
                }
                default -> fake.operations.answer(operation);
            }
        }

        private void takenOver() {
            String name = NAMES.get(random.nextInt(2));
            fake.operations.vacate(name);
            fake.changes.tell(new LeaseChange.Freed(name));
            // Long enough for whoever held it to have polled.
            fake.runtime.runFor(SECOND);
        }

        private void land() {
            lateLandings.forEach(Runnable::run);
            lateLandings.clear();
        }

        private List<Lease> leases() {
            return asked.stream()
                    .filter(future -> future.isDone() && !future.isCompletedExceptionally())
                    .flatMap(future -> future.join().asOptional().stream())
                    .filter(Lease::isHeld)
                    .toList();
        }

        void checkHoldersExcludeEachOther() {
            for (String name : NAMES) {
                Set<Tenure> held = new HashSet<>();
                leases().stream()
                        .map(Lease::tenure)
                        .filter(tenure -> tenure.name().equals(name))
                        .forEach(held::add);
                assertThat(held).as(name).hasSizeLessThan(2);
            }
        }

        void end() {
            fake.operations.dropScripts();
            // A script that an operation has taken already runs now, and may add a late landing.
            fake.runtime.runDue();
            land();
            fake.runtime.runFor(300 * SECOND);
            assertThat(asked).as("everybody is answered").allMatch(CompletableFuture::isDone);
            assertThat(fake.leaseManager.waiting()).isZero();
            checkHoldersExcludeEachOther();
            NAMES.forEach(this::checkHeldByAnOpenHandleOrNobody);
            leases().forEach(lease -> ((LeaseHandle) lease).closeSoon());
            fake.runtime.runFor(60 * SECOND);
            NAMES.forEach(name -> assertThat(fake.operations.unexpired(name)).isNull());
            assertThat(fake.leaseManager.rememberedCount())
                    .as("lines, tenures, releases")
                    .isZero();
            assertThat(fake.operations.traces())
                    .as("tenures that are being released")
                    .isZero();
        }

        private void checkHeldByAnOpenHandleOrNobody(String name) {
            Tenure held = fake.operations.unexpired(name);
            if (held != null) {
                assertThat(leases()).extracting(Lease::tenure).contains(held);
            }
        }
    }
}
