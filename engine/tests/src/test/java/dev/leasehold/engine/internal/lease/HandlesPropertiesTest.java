package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.held.LeaseHandle;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.ScriptedStore.Write;
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
import org.jspecify.annotations.Nullable;

/** Many holders, few leases, a database that fails in every way: what holds at every step, and what is left at the end. */
class HandlesPropertiesTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final List<String> NAMES = List.of("one", "two");

    @Property(tries = 400, shrinking = ShrinkingMode.OFF)
    void holdersExcludeEachOtherAndEveryCallerIsAnswered(
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
    void firstToComeIsServedFirst(@ForAll long seed, @ForAll @IntRange(min = 2, max = 30) int waiters) {
        Random random = new Random(seed);
        SteppedLeases a = new SteppedLeases();
        a.heldByAnother("one", "h2", 60 * SECOND);
        List<CompletableFuture<Acquisition>> line = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            line.add(a.asks(LeaseRequest.of("one"), SteppedLeases.HOUR));
            a.runtime.runFor(random.nextInt(3) * SECOND);
        }
        line.removeIf(each -> random.nextInt(4) == 0 && each.cancel(false));
        a.free("one");
        for (CompletableFuture<Acquisition> next : line) {
            a.runtime.runFor(10 * SECOND);
            assertThat(line.stream().filter(CompletableFuture::isDone)).hasSize(line.indexOf(next) + 1);
            next.join().orElseThrow().close();
        }
        a.runtime.runFor(SECOND);
        assertThat(a.leaseManager.waiting()).isZero();
    }

    /** What happens, drawn from a seed. */
    private static final class History {
        private final Random random;
        private final SteppedLeases a = new SteppedLeases();
        private final List<CompletableFuture<Acquisition>> asked = new ArrayList<>();

        History(Random random) {
            this.random = random;
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
                case 5, 6 -> a.store.onWrite(this::trouble);
                case 7 -> takenOver();
                case 8 -> a.failReads(1 + random.nextInt(3));
                default -> a.runtime.runFor(random.nextLong(20 * SECOND));
            }
            if (random.nextBoolean()) {
                a.runtime.runDue();
            }
        }

        private void ask() {
            LeaseRequest request = LeaseRequest.of(NAMES.get(random.nextInt(2)));
            int holder = random.nextInt(4);
            request = holder == 0 ? request : request.holder("holder " + holder);
            request = random.nextBoolean() ? request : request.term(SteppedLeases.MINUTE);
            Duration wait = random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(random.nextInt(100));
            CompletableFuture<Acquisition> future = a.asks(request, wait);
            asked.add(future);
        }

        private WriteOutcome trouble(Write write) {
            switch (random.nextInt(5)) {
                case 0:
                    return WriteOutcome.failed(new LeaseUnavailableException("scripted", null));
                case 1:
                    return ScriptedStore.unknown();
                case 2:
                    write.send();
                    return ScriptedStore.unknown();
                case 3:
                    // Its answer comes late.
                    WriteOutcome outcome = write.send();
                    a.runtime.runFor(random.nextLong(20 * SECOND));
                    return outcome;
                default:
                    return write.send();
            }
        }

        private void takenOver() {
            String name = NAMES.get(random.nextInt(2));
            a.vacate(name);
            a.changes.tell(new LeaseChange.Freed(name, null));
            // Long enough for what held it to have polled.
            a.runtime.runFor(SECOND);
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
            a.store.forgetScripts();
            a.runtime.runFor(300 * SECOND);
            assertThat(asked).as("every caller is answered").allMatch(CompletableFuture::isDone);
            assertThat(a.leaseManager.waiting()).isZero();
            checkHoldersExcludeEachOther();
            NAMES.forEach(this::checkHeldByAnOpenHandleOrNone);
            leases().forEach(lease -> ((LeaseHandle) lease).closeSoon());
            a.runtime.runFor(60 * SECOND);
            NAMES.forEach(name -> assertThat(unexpired(name)).isNull());
            assertThat(a.leaseManager.rememberedCount())
                    .as("lines, tenures, releases")
                    .isZero();
            assertThat(a.partition.validities().rememberedCount())
                    .as("tenures that are being released")
                    .isZero();
        }

        /** A term that was lost by time is left to run out, and stays in the document. */
        private @Nullable Tenure unexpired(String name) {
            Tenure held = a.holding(name);
            Long expiryNanos = held == null ? null : a.store.document(name).expiryNanos();
            return expiryNanos != null && a.clock.wallNanos() > expiryNanos ? null : held;
        }

        private void checkHeldByAnOpenHandleOrNone(String name) {
            Tenure held = unexpired(name);
            if (held != null) {
                assertThat(leases()).extracting(Lease::tenure).contains(held);
            }
        }
    }
}
