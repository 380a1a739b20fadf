package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.fakes.LogCapture;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.store.LeaseChange;
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

/** Many owners, few leases, a database that fails in every way: what holds at every step, and what is left at the end. */
class HandlesPropertiesTest {

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final List<String> NAMES = List.of("one", "two");

    @Property(tries = 400, shrinking = ShrinkingMode.OFF)
    void ownersExcludeEachOtherAndEverybodyIsAnswered(
            @ForAll long seed, @ForAll @IntRange(min = 20, max = 120) int steps) {
        LogCapture quiet = new LogCapture();
        try {
            Story story = new Story(new Random(seed));
            for (int i = 0; i < steps; i++) {
                story.step();
                story.checkOwnersExcludeEachOther();
            }
            story.end();
        } finally {
            quiet.close();
        }
    }

    @Property(tries = 200, shrinking = ShrinkingMode.OFF)
    void whoCameFirstIsServedFirst(@ForAll long seed, @ForAll @IntRange(min = 2, max = 30) int waiters) {
        Random random = new Random(seed);
        FakeLeaseManager hand = new FakeLeaseManager();
        hand.operations.heldByAnother("one", "h2", 60 * SECOND);
        List<CompletableFuture<Acquisition>> line = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            line.add(hand.leaseManager
                    .tryAcquireAsync(LeaseRequest.of("one"), FakeLeaseManager.HOUR)
                    .toCompletableFuture());
            hand.runtime.runFor(random.nextInt(3) * SECOND);
        }
        line.removeIf(each -> random.nextInt(4) == 0 && each.cancel(false));
        hand.operations.vacate("one");
        hand.changes.tell(new LeaseChange.Freed("one"));
        for (CompletableFuture<Acquisition> next : line) {
            hand.runtime.runFor(10 * SECOND);
            assertThat(line.stream().filter(CompletableFuture::isDone)).hasSize(line.indexOf(next) + 1);
            next.join().orElseThrow().close();
        }
        hand.runtime.runFor(SECOND);
        assertThat(hand.leaseManager.waiting()).isZero();
    }

    /** What happens, drawn from a seed. */
    private static final class Story {
        private final Random random;
        private final FakeLeaseManager hand = new FakeLeaseManager();
        private final List<CompletableFuture<Acquisition>> asked = new ArrayList<>();
        private final List<Runnable> lateLandings = new ArrayList<>();

        Story(Random random) {
            this.random = random;
            if (random.nextBoolean()) {
                hand.operations.takesTasksOfTheLoop();
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
                case 5, 6 -> hand.operations.script(this::trouble);
                case 7 -> takenOver();
                case 8 -> land();
                default -> hand.runtime.runFor(random.nextLong(20 * SECOND));
            }
            if (random.nextBoolean()) {
                hand.runtime.runDue();
            }
        }

        private void ask() {
            LeaseRequest request = LeaseRequest.of(NAMES.get(random.nextInt(2)));
            int owner = random.nextInt(4);
            request = owner == 0 ? request : request.holder("owner " + owner);
            request = random.nextBoolean() ? request : request.term(FakeLeaseManager.MINUTE);
            Duration wait = random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(random.nextInt(100));
            CompletableFuture<Acquisition> promise =
                    hand.leaseManager.tryAcquireAsync(request, wait).toCompletableFuture();
            asked.add(promise);
        }

        private void trouble(PendingOperation operation) {
            switch (random.nextInt(4)) {
                case 0 -> OperationEnds.fail(operation, new LeaseUnavailableException("scripted", null));
                case 1 -> OperationEnds.leaveUnknown(operation);
                case 2 -> {
                    // Committed in silence; how it ended is learned later.
                    if (OperationEnds.beginCommit(operation)) {
                        lateLandings.add(() -> hand.operations.landIfPossible(operation));
                    }
                }
                default -> hand.operations.answer(operation);
            }
        }

        private void takenOver() {
            String name = NAMES.get(random.nextInt(2));
            hand.operations.vacate(name);
            hand.changes.tell(new LeaseChange.Freed(name));
            // Long enough for whoever held it to have looked.
            hand.runtime.runFor(SECOND);
        }

        private void land() {
            lateLandings.forEach(Runnable::run);
            lateLandings.clear();
        }

        private List<Lease> leases() {
            return asked.stream()
                    .filter(promise -> promise.isDone() && !promise.isCompletedExceptionally())
                    .flatMap(promise -> promise.join().asOptional().stream())
                    .filter(Lease::isHeld)
                    .toList();
        }

        void checkOwnersExcludeEachOther() {
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
            hand.operations.dropScripts();
            // A script that an operation has taken already runs now, and may add a late landing.
            hand.runtime.runDue();
            land();
            hand.runtime.runFor(300 * SECOND);
            assertThat(asked).as("everybody is answered").allMatch(CompletableFuture::isDone);
            assertThat(hand.leaseManager.waiting()).isZero();
            checkOwnersExcludeEachOther();
            NAMES.forEach(this::checkHeldByAnOpenHandleOrNobody);
            leases().forEach(lease -> ((LeaseHandle) lease).closeSoon());
            hand.runtime.runFor(60 * SECOND);
            NAMES.forEach(name -> assertThat(hand.operations.unexpired(name)).isNull());
            assertThat(hand.leaseManager.rememberedCount())
                    .as("lines, tenures, releases")
                    .isZero();
            assertThat(hand.operations.traces())
                    .as("tenures that are being given up")
                    .isZero();
        }

        private void checkHeldByAnOpenHandleOrNobody(String name) {
            Tenure held = hand.operations.unexpired(name);
            if (held != null) {
                assertThat(leases()).extracting(Lease::tenure).contains(held);
            }
        }
    }
}
