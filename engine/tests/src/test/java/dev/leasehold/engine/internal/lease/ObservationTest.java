package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.watch.ChangeWatcher;
import dev.leasehold.engine.internal.watch.LeaseObserver;
import dev.leasehold.engine.internal.watch.LeaseObservers;
import dev.leasehold.engine.world.LogCapture;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a listener that observes a lease is told, when, and what that costs. */
class ObservationTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final long MILLISECOND = SECOND / 1000;

    private final SteppedLeases a = new SteppedLeases();
    private final List<String> told = new ArrayList<>();

    private LeaseObservation observes(String name) {
        LeaseObservation observation = a.leaseManager.observe(name, state -> told.add(shortForm(state)));
        a.runtime.runDue();
        return observation;
    }

    private static String shortForm(LeaseState state) {
        if (state instanceof LeaseState.Held held) {
            return held.tenure().holder() + "/" + held.tenure().token()
                    + (held.status() == LeaseStatus.EXPIRED ? " expired" : "");
        }
        return state instanceof LeaseState.Vacant vacant ? "-/" + vacant.token() : "none";
    }

    private void tell(LeaseChange change) {
        a.changes.tell(change);
        a.runtime.runFor(10 * MILLISECOND);
    }

    @Test
    @DisplayName("OB-1: the present state is told at once, each other one once, and no renewal")
    void thePresentStateAndEachOtherOneAreTold() {
        a.heldByAnother("one", "h", 60 * SECOND);
        observes("one");
        assertThat(told).containsExactly("h/1");
        for (int renewal = 0; renewal < 10; renewal++) {
            a.heldByAnother("other", "h", 60 * SECOND);
            a.runtime.runFor(5 * SECOND);
        }
        assertThat(told).containsExactly("h/1");
        a.runtime.runFor(20 * SECOND);
        a.heldByAnother("one", "h");
        tell(new LeaseChange.Taken("one", null));

        assertThat(told).containsExactly("h/1", "h/1 expired", "h/2");
        assertThat(a.sent()).isEmpty();
    }

    @Test
    @DisplayName("OB-2: a lease that is free for a moment between two holders is not told free, one that stays free is")
    void momentBetweenTwoHoldersIsNotTold() {
        a.heldByAnother("one", "h");
        observes("one");

        a.vacate("one");
        tell(new LeaseChange.Freed("one", null));
        a.heldByAnother("one", "h2");
        tell(new LeaseChange.Taken("one", null));
        a.runtime.runFor(LeaseObservers.SETTLE_NANOS);
        assertThat(told).containsExactly("h/1", "h2/2");

        a.vacate("one");
        tell(new LeaseChange.Freed("one", null));
        a.runtime.runFor(LeaseObservers.SETTLE_NANOS);
        assertThat(told).containsExactly("h/1", "h2/2", "-/2");
    }

    @Test
    void endOfASessionIsReadLikeARelease() {
        a.keptByASession("one", "h");
        observes("one");
        a.vacate("one");
        tell(new LeaseChange.WriterGone("another", "w#1"));
        a.runtime.runFor(LeaseObservers.SETTLE_NANOS);
        assertThat(told).containsExactly("h/1");
        tell(new LeaseChange.WriterGone(SteppedLeases.NAMESPACE, "w#1"));
        a.runtime.runFor(LeaseObservers.SETTLE_NANOS);
        assertThat(told).containsExactly("h/1", "-/1");
    }

    @Test
    void changeBeforeTheStreamBeginsIsNotMissed() {
        a.heldByAnother("one", "h");
        a.changes.whileOpening(() -> a.heldByAnother("one", "h2"));
        observes("one");
        assertThat(told).endsWith("h2/2");
    }

    @Test
    @DisplayName("OB-3: without a change stream each lease is looked at every 5 s")
    void withoutAStreamEachIsReadPeriodically() {
        a.changes.failAlways(new LeaseStoreException("not allowed", null));
        observes("one");
        observes("two");
        int polls = a.polls().size();
        a.heldByAnother("two", "h");

        a.runtime.runFor(LeaseObservers.PERIOD_NANOS);
        assertThat(told).containsExactly("none", "none", "h/1");
        a.runtime.runFor(LeaseObservers.PERIOD_NANOS);
        assertThat(a.polls().subList(polls, a.polls().size()))
                .containsExactly(Set.of("one", "two"), Set.of("one", "two"));
    }

    @Test
    void readThatFailedIsRepeatedByTheNextLook() {
        a.changes.failAlways(new LeaseStoreException("not allowed", null));
        a.failReads(1);
        observes("one");
        assertThat(told).isEmpty();
        a.runtime.runFor(LeaseObservers.PERIOD_NANOS);
        assertThat(told).containsExactly("none");
    }

    @Test
    @DisplayName("OB-4: a change during a read leads to another one behind it, however many changes there were")
    void changesDuringAReadLeadToOneMore() {
        observes("one");
        int polls = a.polls().size();

        // In one step, before the thread that reads has run.
        a.heldByAnother("one", "h");
        for (int change = 0; change < 10; change++) {
            a.changes.tell(new LeaseChange.Taken("one", null));
        }
        a.runtime.runFor(10 * MILLISECOND);

        assertThat(told).containsExactly("none", "h/1");
        assertThat(a.polls()).hasSize(polls + 2);
    }

    @Test
    void streamOfAHolderIsOpenedAnewForAnObserver() throws InterruptedException {
        a.acquire("held");
        a.runtime.runFor(2 * SECOND);
        assertThat(a.changes.isForObservers()).isFalse();
        int opened = a.changes.opened();

        observes("one");
        a.runtime.runFor(SECOND);
        assertThat(a.changes.isForObservers()).isTrue();
        assertThat(a.changes.opened()).isEqualTo(opened + 1);
        observes("two");
        a.runtime.runFor(SECOND);
        assertThat(a.changes.opened()).isEqualTo(opened + 1);

        a.heldByAnother("one", "h");
        tell(new LeaseChange.Described("one", null));
        assertThat(told).containsExactly("none", "none", "h/1");
    }

    @Test
    void streamIsWantedWhileALeaseIsObserved() {
        LeaseObservation observation = observes("one");
        assertThat(a.changes.isOpen()).isTrue();
        a.runtime.runFor(2 * ChangeWatcher.LINGER_NANOS);
        assertThat(a.changes.isOpen()).isTrue();
        observation.close();
        a.runtime.runFor(2 * ChangeWatcher.LINGER_NANOS);
        assertThat(a.changes.isOpen()).isFalse();
    }

    @Test
    void closedObservationIsToldNothingAndReadsNothing() {
        LeaseObservation observation = observes("one");
        LeaseObservation other = observes("one");
        assertThat(told).containsExactly("none", "none");
        observation.close();
        observation.close();
        a.heldByAnother("one", "h");
        tell(new LeaseChange.Taken("one", null));
        assertThat(told).containsExactly("none", "none", "h/1");

        other.close();
        a.vacate("one");
        tell(new LeaseChange.Freed("one", null));
        int polls = a.polls().size();
        a.runtime.runFor(3 * LeaseObservers.PERIOD_NANOS);
        assertThat(told).containsExactly("none", "none", "h/1");
        assertThat(a.polls()).hasSize(polls);
        assertThat(a.leaseManager.rememberedCount()).isZero();
    }

    @Test
    void closingTheEngineEndsIt() {
        LeaseObservation observation = observes("one");
        a.leaseManager.close(true);
        a.runtime.runDue();
        int polls = a.polls().size();
        a.heldByAnother("one", "h");
        a.runtime.runFor(3 * LeaseObservers.PERIOD_NANOS);

        assertThat(told).containsExactly("none");
        assertThat(a.polls()).hasSize(polls);
        assertThat(a.changes.isOpen()).isFalse();
        observation.close();
        assertThatThrownBy(() -> a.leaseManager.observe("one", state -> {}))
                .isInstanceOf(LeaseEngineClosedException.class);
    }

    @Test
    void listenerThatThrowsIsToldOfLaterChanges() {
        try (LogCapture log = new LogCapture()) {
            a.leaseManager.observe("one", state -> {
                told.add(shortForm(state));
                throw new IllegalStateException("thrown");
            });
            a.runtime.runDue();
            a.heldByAnother("one", "h");
            tell(new LeaseChange.Taken("one", null));
            assertThat(told).containsExactly("none", "h/1");
            assertThat(log.warningsAbout("an observer has thrown")).hasSize(2);
        }
    }

    @Test
    void badArgumentsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> a.leaseManager.observe("", state -> {}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.leaseManager.observe("one", null))
                .withMessageContaining("listener null is refused");
    }

    // ---- a listener that is slow ----

    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private final LeaseObserver slow =
            new LeaseObserver("one", state -> told.add(shortForm(state)), callbacks::add, closed -> {});

    private static LeaseState held(String holder, long token) {
        return new LeaseState.Held(
                new Tenure("billing", "one", holder, token),
                LeaseStatus.ACTIVE,
                null,
                Instant.EPOCH,
                null,
                true,
                Set.of());
    }

    @Test
    void ofWhatItCouldNotBeToldInTimeItIsToldTheNewest() {
        slow.saw(held("a", 1));
        slow.saw(held("b", 2));
        slow.saw(held("c", 3));
        assertThat(callbacks).as("calls at a time").hasSize(1);
        callbacks.remove().run();
        assertThat(told).containsExactly("c/3");
    }

    @Test
    void whatComesWhileItRunsIsToldByTheSameThread() {
        List<String> calls = new ArrayList<>();
        LeaseObserver[] self = new LeaseObserver[1];
        self[0] = new LeaseObserver(
                "one",
                state -> {
                    calls.add(shortForm(state));
                    if (calls.size() == 1) {
                        self[0].saw(held("b", 2));
                        self[0].saw(held("c", 3));
                        self[0].saw(held("c", 3));
                    }
                },
                callbacks::add,
                closed -> {});
        self[0].saw(held("a", 1));
        assertThat(callbacks).hasSize(1);
        callbacks.remove().run();
        assertThat(calls).containsExactly("a/1", "c/3");
        assertThat(callbacks).isEmpty();

        self[0].saw(held("d", 4));
        callbacks.remove().run();
        assertThat(calls).containsExactly("a/1", "c/3", "d/4");
    }

    @Test
    void stateThatIsBackBeforeItWasToldAsGoneIsNotTold() {
        slow.saw(held("a", 1));
        callbacks.remove().run();
        slow.saw(new LeaseState.Absent("one"));
        slow.saw(held("a", 1));
        callbacks.remove().run();
        assertThat(told).containsExactly("a/1");
    }

    @Test
    void closedWhileACallIsUnderWayItIsNotCalled() {
        slow.saw(held("a", 1));
        slow.close();
        callbacks.remove().run();
        assertThat(told).isEmpty();
    }

    @Test
    void executorThatRefusesIsAskedAgainAtTheNextLook() {
        boolean[] refuses = {true};
        LeaseObserver observer = new LeaseObserver(
                "one",
                state -> told.add(shortForm(state)),
                task -> {
                    if (refuses[0]) {
                        throw new IllegalStateException("refused");
                    }
                    task.run();
                },
                closed -> {});
        try (LogCapture log = new LogCapture()) {
            observer.saw(held("a", 1));
            assertThat(log.messages(Level.ERROR))
                    .singleElement()
                    .asString()
                    .contains("its observer could not be called");
        }
        refuses[0] = false;
        observer.saw(held("a", 1));
        assertThat(told).containsExactly("a/1");
    }
}
