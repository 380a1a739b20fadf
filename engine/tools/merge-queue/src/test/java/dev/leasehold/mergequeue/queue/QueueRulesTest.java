package dev.leasehold.mergequeue.queue;

import static dev.leasehold.mergequeue.queue.QueueFixture.TTL;
import static dev.leasehold.mergequeue.queue.QueueFixture.WINDOW;
import static dev.leasehold.mergequeue.queue.QueueFixture.expecting;
import static dev.leasehold.mergequeue.queue.QueueFixture.passingOn;
import static dev.leasehold.mergequeue.queue.QueueFixture.status;
import static dev.leasehold.mergequeue.queue.QueueFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scenarios of the priority mutex that need neither a database nor a second replica. */
class QueueRulesTest {

    private static final Duration NANO = Duration.ofNanos(1);

    @Test
    @DisplayName("PM-1: the highest of as many as expected wins at its next poll, without waiting for the window")
    void highestOfAllExpectedWins() {
        QueueFixture queue = expecting(3);
        assertThat(queue.told("three", 3)).isEqualTo("pending");
        assertThat(queue.told("one", 1)).isEqualTo("pending");
        assertThat(queue.told("two", 2)).isEqualTo("pending");

        QueueAnswer answer = queue.acquire("three", 3);

        assertThat(status(answer)).isEqualTo("acquired");
        assertThat(((QueueAnswer.Acquired) answer).stacked())
                .extracting(PendingRequest::headSha)
                .containsExactly("two", "one");
        assertThat(queue.told("one", 1)).isEqualTo("pending");
        assertThat(queue.told("two", 2)).isEqualTo("pending");
    }

    @Test
    @DisplayName("PM-1: the registration of the last one expected is a poll, too")
    void lastRegistrationMayWin() {
        QueueFixture queue = expecting(3).arrive("one", "two");

        assertThat(queue.told("three", 3)).isEqualTo("acquired");
    }

    @Test
    @DisplayName("PM-2: none wins before the window is over, the highest does at exactly its end")
    void windowAtExactlyItsEnd() {
        QueueFixture queue = expecting(3).arrive("one", "two");

        queue.pollingFor(WINDOW.minus(NANO), "one", "two");
        assertThat(queue.told("two", 2)).isEqualTo("pending");
        queue.after(NANO);

        assertThat(queue.told("one", 1)).isEqualTo("pending");
        assertThat(queue.told("two", 2)).isEqualTo("acquired");
    }

    @Test
    @DisplayName("PM-3: polling refreshes when a request was seen, and does not restart the window")
    void pollingDoesNotRestartTheWindow() {
        QueueFixture queue = expecting(3);
        queue.acquire("two", 2);

        queue.after(TTL).acquire("two", 2);

        assertThat(queue.state.waiting().get("two").seenNanos()).isEqualTo(queue.state.clockNanos());
        assertThat(queue.state.changedNanos()).isZero();
    }

    @Test
    @DisplayName("PM-4: a new request restarts the window")
    void newRequestRestartsTheWindow() {
        QueueFixture queue = expecting(3);
        queue.acquire("two", 2);
        queue.pollingFor(WINDOW.minus(NANO), "two");

        queue.acquire("one", 1);

        queue.after(NANO);
        assertThat(queue.told("two", 2)).isEqualTo("pending");
        queue.acquire("one", 1);
        queue.pollingFor(WINDOW.minus(NANO.multipliedBy(2)), "one", "two");
        assertThat(queue.told("two", 2)).isEqualTo("pending");
        queue.after(NANO);
        assertThat(queue.told("two", 2)).isEqualTo("acquired");
    }

    @Test
    @DisplayName("PM-4: a changed priority or payload restarts the window, and counts from then on")
    void changedRequestRestartsTheWindow() {
        QueueFixture queue = expecting(3);
        queue.acquire("two", 2);
        queue.acquire("one", 1);

        queue.after(NANO).acquire("one", 5);
        assertThat(queue.state.changedNanos()).isEqualTo(1);
        queue.after(NANO).acquire("one", 5, "another ref");
        assertThat(queue.state.changedNanos()).isEqualTo(2);

        queue.pollingFor(WINDOW, "two");
        assertThat(status(queue.acquire("one", 5, "another ref"))).isEqualTo("pending");
    }

    @Test
    @DisplayName("PM-5: of equal priorities the first to register wins, however they poll")
    void firstOfEqualsWins() {
        QueueFixture queue = expecting(2);
        queue.acquire("first", 7);

        assertThat(queue.told("second", 7)).isEqualTo("pending");
        assertThat(queue.told("second", 7)).isEqualTo("pending");
        assertThat(queue.told("first", 7)).isEqualTo("acquired");
    }

    @Test
    @DisplayName("PM-6: a holder that polls again is told so again, with the same token")
    void holderIsToldAgain() {
        QueueFixture queue = expecting(1);
        long token = token(queue.acquire("one", 1));

        QueueAnswer again = queue.after(Duration.ofHours(1)).acquire("one", 1);

        assertThat(token(again)).isEqualTo(token);
    }

    @Test
    @DisplayName(
            "PM-7: a request that was unseen for exactly the TTL stays, 1 ns more and it is dropped; the holder never is")
    void unseenRequestIsDropped() {
        QueueFixture queue = expecting(2);
        queue.acquire("waiter", 1);
        queue.acquire("holder", 2);

        queue.after(TTL).tick();
        assertThat(queue.state.waiting()).containsKey("waiter");
        queue.after(NANO).tick();

        assertThat(queue.state.waiting()).isEmpty();
        assertThat(queue.state.hold()).map(Hold::headSha).contains("holder");
    }

    @Test
    @DisplayName("PM-7: a request that comes after it was dropped registers anew")
    void droppedRequestRegistersAnew() {
        QueueFixture queue = expecting(3);
        queue.acquire("first", 1);
        queue.acquire("second", 1);

        queue.after(TTL).acquire("second", 1);
        queue.after(NANO).acquire("first", 1);

        assertThat(queue.state.inOrder()).extracting(PendingRequest::headSha).containsExactly("second", "first");
        assertThat(queue.state.changedNanos()).isEqualTo(queue.state.clockNanos());
    }

    @Test
    @DisplayName("PM-8: after success all others are told completed, however late, and again if they ask again")
    void othersAreToldOfSuccess() {
        QueueFixture queue = expecting(3).arrive("one", "two", "three");

        assertThat(status(queue.success("three"))).isEqualTo("completed");

        assertThat(queue.told("two", 2)).isEqualTo("completed");
        assertThat(queue.told("two", 2)).isEqualTo("completed");
        QueueAnswer late = queue.after(QueueFixture.RETENTION).acquire("one", 1);
        assertThat(status(late)).isEqualTo("completed");
        assertThat(((QueueAnswer.Ended) late).request().winner()).isEqualTo(RequestId.of("three"));
        assertThat(((QueueAnswer.Ended) late).request().token()).isEqualTo(1);
        assertThat(queue.told("three", 3)).isEqualTo("completed");
        assertThat(queue.state.lastToken()).isEqualTo(1);
    }

    @Test
    @DisplayName("PM-8: an outcome is forgotten when the retention is over")
    void outcomeIsForgottenAfterTheRetention() {
        QueueFixture queue = expecting(1);
        queue.acquire("one", 1);
        queue.success("one");

        queue.after(QueueFixture.RETENTION.plus(NANO)).tick();

        assertThat(queue.state.ended()).isEmpty();
    }

    @Test
    @DisplayName("PM-8b: a release that is repeated is answered as the first time, and changes nothing")
    void repeatedReleaseIsAnsweredAgain() {
        QueueFixture queue = expecting(1);
        queue.acquire("good", 1);
        QueueAnswer success = queue.success("good");
        queue.acquire("bad", 1);
        QueueAnswer failure = queue.failure("bad");
        QueueState before = queue.state;

        assertThat(queue.success("good")).isEqualTo(success);
        assertThat(queue.release("good", AskedStatus.SUCCESS, OptionalLong.of(1)))
                .isEqualTo(success);
        assertThat(queue.failure("bad")).isEqualTo(failure);
        assertThat(queue.release("bad", AskedStatus.FAILURE, OptionalLong.of(2)))
                .isEqualTo(failure);
        assertThat(queue.state).isEqualTo(before);
    }

    @Test
    @DisplayName("PM-8b: a release that is repeated after the run registered anew does not touch the new request")
    void repeatedReleaseDoesNotTouchTheNextHold() {
        QueueFixture queue = expecting(1);
        queue.acquire("sha", 1);
        QueueAnswer failure = queue.release("sha", AskedStatus.FAILURE, OptionalLong.of(1));
        assertThat(token(queue.after(TTL.plus(NANO)).acquire("sha", 1))).isEqualTo(2);

        assertThat(queue.release("sha", AskedStatus.FAILURE, OptionalLong.of(1)))
                .isEqualTo(failure);

        assertThat(queue.state.hold()).map(Hold::token).contains(2L);
    }

    @Test
    @DisplayName(
            "PM-9: after a failure within the window the others wait, and a newcomer that makes the set complete wins")
    void newcomerAfterFailureWins() {
        QueueFixture queue = expecting(3).arrive("one", "two", "three");
        assertThat(status(queue.failure("three"))).isEqualTo("failure");

        assertThat(queue.told("one", 1)).isEqualTo("pending");
        assertThat(queue.told("two", 2)).isEqualTo("pending");

        assertThat(queue.told("next", 3)).isEqualTo("acquired");
    }

    @Test
    @DisplayName("PM-10: after a failure with the window over, the next highest wins at its next poll")
    void nextHighestWinsAfterFailure() {
        QueueFixture queue = expecting(3).arrive("one", "two", "three");
        queue.pollingFor(WINDOW, "one", "two");
        queue.failure("three");

        assertThat(queue.told("one", 1)).isEqualTo("pending");
        assertThat(queue.told("two", 2)).isEqualTo("acquired");
    }

    @Test
    @DisplayName("PM-9b: with pass-on the next highest wins at once, and newcomers wait for the next round")
    void passOnServesTheRestFirst() {
        QueueFixture queue = passingOn(3).arrive("one", "two", "three");
        queue.failure("three");

        QueueAnswer newcomer = queue.acquire("nine", 9);
        assertThat(((QueueAnswer.Pending) newcomer).waitsFor()).isEqualTo(QueueAnswer.Wait.ROUND);
        assertThat(((QueueAnswer.Pending) newcomer).place()).isEqualTo(3);
        assertThat(queue.told("one", 1)).isEqualTo("pending");
        assertThat(queue.told("two", 2)).isEqualTo("acquired");
        queue.failure("two");
        assertThat(queue.told("nine", 9)).isEqualTo("pending");
        assertThat(queue.told("one", 1)).isEqualTo("acquired");
        queue.success("one");

        assertThat(queue.told("nine", 9)).isEqualTo("pending");
        queue.pollingFor(WINDOW.minus(NANO), "nine");
        assertThat(queue.told("nine", 9)).isEqualTo("pending");
        assertThat(status(queue.after(NANO).acquire("nine", 9))).isEqualTo("acquired");
    }

    @Test
    @DisplayName("PM-9b: with pass-on a waiter that changes while another one holds is not completed by it either")
    void changedWaiterIsNotCompletedByAHolderThatCameNext() {
        QueueFixture queue = passingOn(3).arrive("one", "two", "three");
        queue.failure("three");
        assertThat(queue.told("two", 2)).isEqualTo("acquired");
        queue.acquire("one", 9);

        queue.success("two");

        assertThat(queue.told("one", 9)).isEqualTo("pending");
    }

    @Test
    @DisplayName("PM-9b: with pass-on the newcomers make up the next round when none of the round remains")
    void passOnEndsWithTheRound() {
        QueueFixture queue = passingOn(2).arrive("one", "two");
        queue.failure("two");
        queue.acquire("nine", 9);
        queue.after(TTL).acquire("nine", 9);

        queue.after(NANO).acquire("eight", 8);

        assertThat(queue.told("nine", 9)).isEqualTo("acquired");
    }

    @ParameterizedTest
    @EnumSource(AfterFailure.class)
    @DisplayName("PM-11: a failure after which none remains ends the round; a newcomer starts one with a window")
    void failureOfTheLastEndsTheRound(AfterFailure afterFailure) {
        QueueFixture queue = QueueFixture.with(2, 0, QueueSettings.NO_MAXIMUM, afterFailure);
        queue.acquire("one", 1);
        queue.pollingFor(WINDOW.minus(NANO), "one");
        assertThat(status(queue.after(NANO).acquire("one", 1))).isEqualTo("acquired");
        long round = queue.state.round();
        queue.failure("one");

        assertThat(queue.state.round()).isGreaterThan(round);
        assertThat(queue.told("new", 1)).isEqualTo("pending");
        queue.pollingFor(WINDOW.minus(NANO), "new");
        assertThat(queue.told("new", 1)).isEqualTo("pending");
        assertThat(status(queue.after(NANO).acquire("new", 1))).isEqualTo("acquired");
    }

    @Test
    @DisplayName("PM-12: a holder past the maximum hold counts as failed, and the queue goes on")
    void holderPastTheMaximumCountsAsFailed() {
        Duration hold = Duration.ofSeconds(20);
        QueueFixture queue = QueueFixture.with(2, 0, hold.toNanos(), AfterFailure.PASS_ON);
        queue.arrive("one", "two");

        queue.after(hold).acquire("one", 1);
        assertThat(queue.state.hold()).map(Hold::headSha).contains("two");
        QueueAnswer next = queue.after(NANO).acquire("one", 1);

        assertThat(token(next)).isEqualTo(2);
        assertThat(queue.ended).extracting(EndedHold::outcome).containsExactly(EndStatus.EXPIRED);
        assertThat(status(queue.success("two"))).isEqualTo(Rule.STATUS_CHANGE.code());
        assertThat(status(queue.failure("two"))).isEqualTo("failure");
    }

    @Test
    @DisplayName("PM-14: a release by one that does not hold, or with an old token, is refused and changes nothing")
    void onlyTheHolderReleases() {
        QueueFixture queue = expecting(1);
        queue.acquire("sha", 1);
        queue.failure("sha");
        queue.after(TTL.plus(NANO)).acquire("sha", 1);
        QueueState before = queue.state;

        assertThat(status(queue.success("stranger"))).isEqualTo(Rule.NOT_HOLDER.code());
        assertThat(status(queue.release("sha", AskedStatus.SUCCESS, OptionalLong.of(1))))
                .isEqualTo(Rule.OLD_TOKEN.code());
        assertThat(status(queue.release("sha", AskedStatus.SUCCESS, OptionalLong.of(3))))
                .isEqualTo(Rule.OLD_TOKEN.code());
        assertThat(queue.state).isEqualTo(before);
    }

    @Test
    @DisplayName("PM-15: other changes of status are refused, with both states")
    void otherChangesOfStatusAreRefused() {
        QueueFixture queue = expecting(2);
        queue.acquire("waiter", 1);
        queue.acquire("holder", 2);
        QueueState before = queue.state;

        QueueAnswer waiter = queue.success("waiter");
        QueueAnswer holder = queue.release("holder", AskedStatus.COMPLETED, OptionalLong.empty());

        assertThat(((QueueAnswer.Refused) waiter).message()).contains("is pending", "become success");
        assertThat(((QueueAnswer.Refused) holder).message()).contains("is acquired", "become completed");
        assertThat(queue.state).isEqualTo(before);
        queue.success("holder");
        QueueAnswer completed = queue.failure("waiter");
        assertThat(((QueueAnswer.Refused) completed).message()).contains("is completed", "become failure");
        assertThat(status(queue.failure("holder"))).isEqualTo(Rule.STATUS_CHANGE.code());
    }

    @Test
    @DisplayName(
            "PM-17: when the queue is cleared all are told, may register again after the TTL, and tokens go on growing")
    void clearedRequestsAreTold() {
        QueueFixture queue = expecting(2).arrive("one", "two");

        assertThat(queue.clear()).isEqualTo(new QueueAnswer.Cleared(2));

        assertThat(queue.told("one", 1)).isEqualTo(Rule.QUEUE_CLEARED.code());
        assertThat(status(queue.success("two"))).isEqualTo(Rule.QUEUE_CLEARED.code());
        assertThat(status(queue.after(TTL).acquire("one", 1))).isEqualTo(Rule.QUEUE_CLEARED.code());
        queue.after(NANO).acquire("one", 1);
        assertThat(token(queue.acquire("three", 3))).isEqualTo(2);
    }

    @Test
    @DisplayName("PM-17: a queue that is cleared keeps the outcomes of before, so that no run does again what is done")
    void clearedQueueKeepsOutcomes() {
        QueueFixture queue = expecting(2).arrive("one", "two");
        queue.success("two");

        queue.clear();

        assertThat(queue.told("one", 1)).isEqualTo("completed");
    }

    @Test
    @DisplayName("PM-17: clearing a queue without a holder tells the waiters")
    void clearedWithoutHolder() {
        QueueFixture queue = expecting(2);
        queue.acquire("one", 1);

        assertThat(queue.clear()).isEqualTo(new QueueAnswer.Cleared(1));

        assertThat(queue.told("one", 1)).isEqualTo(Rule.QUEUE_CLEARED.code());
        assertThat(queue.ended).isEmpty();
    }

    @Test
    @DisplayName(
            "PM-19: a run that registers after the success belongs to the next round, though others have not been told yet")
    void newcomerAfterSuccessIsOfTheNextRound() {
        QueueFixture queue = expecting(2).arrive("one", "two");
        queue.success("two");

        assertThat(queue.told("new", 1)).isEqualTo("pending");
        assertThat(queue.told("one", 1)).isEqualTo("completed");
        assertThat(queue.told("new", 1)).isEqualTo("pending");
    }

    @Test
    void failedRunIsToldSoUntilTheTtlIsOverAndThenRegistersAnew() {
        QueueFixture queue = expecting(1);
        queue.acquire("sha", 1);
        queue.failure("sha");

        assertThat(queue.told("sha", 1)).isEqualTo("failure");
        assertThat(status(queue.after(TTL).acquire("sha", 1))).isEqualTo("failure");
        assertThat(queue.state.waiting()).isEmpty();
        assertThat(token(queue.after(NANO).acquire("sha", 1))).isEqualTo(2);
    }

    @Test
    void delayAnswersPendingToSoManyQualifyingPolls() {
        QueueFixture queue = QueueFixture.with(2, 2, QueueSettings.NO_MAXIMUM, AfterFailure.COLLECT);
        queue.acquire("one", 1);
        queue.acquire("one", 1);

        assertThat(((QueueAnswer.Pending) queue.acquire("two", 2)).waitsFor()).isEqualTo(QueueAnswer.Wait.DELAY);
        assertThat(queue.told("one", 1)).isEqualTo("pending");
        assertThat(((QueueAnswer.Pending) queue.acquire("two", 2)).waitsFor()).isEqualTo(QueueAnswer.Wait.DELAY);
        assertThat(queue.told("two", 2)).isEqualTo("acquired");
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    @DisplayName("A run that registers while another one holds is not completed by it, whatever its priority")
    void lateRequestIsNeverCompletedByTheHolder(long priority) {
        QueueFixture queue = expecting(1);
        queue.acquire("three", 3);
        assertThat(((QueueAnswer.Pending) queue.acquire("late", priority)).waitsFor())
                .isEqualTo(QueueAnswer.Wait.HOLDER);

        queue.success("three");

        assertThat(queue.told("late", priority)).isEqualTo("acquired");
    }

    @Test
    @DisplayName(
            "A waiter that changes while another one holds is not completed by it, and does not come back to its round")
    void changedWaiterIsNotCompletedByTheHolder() {
        QueueFixture queue = expecting(2);
        queue.acquire("one", 1);
        queue.acquire("three", 3);
        queue.acquire("one", 2);
        queue.acquire("one", 1);

        queue.success("three");

        assertThat(queue.told("one", 1)).isEqualTo("pending");
        assertThat(queue.told("two", 2)).isEqualTo("acquired");
    }

    @Test
    @DisplayName("With join-holder a late request with less than the holder carries is completed with it")
    void lateRequestJoinsTheHolderWhereTheSettingSaysSo() {
        QueueFixture queue = QueueFixture.of(new QueueSettings(
                WINDOW.toNanos(),
                TTL.toNanos(),
                1,
                0,
                QueueSettings.NO_MAXIMUM,
                QueueSettings.NO_MAXIMUM,
                AfterFailure.COLLECT,
                Newcomers.JOIN_HOLDER,
                false,
                QueueFixture.RETENTION.toNanos(),
                100));
        queue.acquire("three", 3);
        queue.acquire("two", 2);

        queue.success("three");

        assertThat(queue.told("two", 2)).isEqualTo("completed");
    }

    @Test
    @DisplayName("A waiter that withdraws waits no more, and a poll of it that comes late does not win")
    void withdrawnWaiterCannotWin() {
        QueueFixture queue = expecting(2);
        queue.acquire("two", 2);
        queue.acquire("one", 1);

        assertThat(status(queue.withdraw("two"))).isEqualTo("withdrawn");

        assertThat(queue.told("two", 2)).isEqualTo("withdrawn");
        assertThat(status(queue.withdraw("two"))).isEqualTo("withdrawn");
        assertThat(queue.state.inOrder()).extracting(PendingRequest::headSha).containsExactly("one");
        assertThat(status(queue.after(TTL).acquire("two", 2))).isEqualTo("withdrawn");
        assertThat(status(queue.after(NANO).acquire("two", 2))).isEqualTo("pending");
        assertThat(queue.waits)
                .contains(new EndedWait(EndedWait.Outcome.WITHDRAWN, 0))
                .hasSize(2); // the other one was dropped
    }

    @Test
    @DisplayName("A run that withdraws before its first poll has come is kept out until the TTL is over")
    void withdrawalBeforeTheFirstPollKeepsItOut() {
        QueueFixture queue = expecting(1);

        assertThat(status(queue.withdraw("two"))).isEqualTo("withdrawn");

        assertThat(queue.told("two", 2)).isEqualTo("withdrawn");
        assertThat(queue.state.hold()).isEmpty();
        assertThat(status(queue.after(TTL.plus(NANO)).acquire("two", 2))).isEqualTo("acquired");
    }

    @Test
    @DisplayName("A holder that withdraws counts as failed, and the queue goes on")
    void withdrawnHolderCountsAsFailed() {
        QueueFixture queue = expecting(2).arrive("one", "two");

        assertThat(status(queue.withdraw("two"))).isEqualTo("withdrawn");

        assertThat(queue.state.hold()).isEmpty();
        assertThat(queue.ended).extracting(EndedHold::outcome).containsExactly(EndStatus.HOLD_WITHDRAWN);
        assertThat(status(queue.failure("two"))).isEqualTo("withdrawn");
        assertThat(status(queue.success("two"))).isEqualTo(Rule.STATUS_CHANGE.code());
        assertThat(queue.told("two", 2)).isEqualTo("withdrawn");
    }

    @Test
    @DisplayName("A run that has an outcome is told it when it withdraws")
    void withdrawalOfAnEndedRunTellsTheOutcome() {
        QueueFixture queue = expecting(2).arrive("one", "two");
        queue.success("two");

        assertThat(status(queue.withdraw("one"))).isEqualTo("completed");
        assertThat(status(queue.withdraw("two"))).isEqualTo("completed");
        assertThat(queue.told("one", 1)).isEqualTo("completed");
    }

    @Test
    @DisplayName("Two jobs of one commit are two requests, of which one holds")
    void jobsOfOneCommitDoNotShareTheHold() {
        QueueFixture queue = expecting(1);
        RequestId linux = new RequestId("sha", "77", 1, "linux");
        RequestId windows = new RequestId("sha", "77", 1, "windows");

        assertThat(status(queue.acquire(linux, 1))).isEqualTo("acquired");
        assertThat(status(queue.acquire(windows, 1))).isEqualTo("pending");
        assertThat(status(queue.acquire(new RequestId("sha", "78", 1, "linux"), 1)))
                .isEqualTo("pending");
        assertThat(queue.told("sha", 1)).isEqualTo("pending");
    }

    @Test
    @DisplayName("A second attempt asks anew, though the first one was completed")
    void secondAttemptAsksAnew() {
        QueueFixture queue = expecting(1);
        queue.acquire(new RequestId("sha", "77", 1, ""), 1);
        queue.tell(new QueueEvent.Release(
                new RequestId("sha", "77", 1, ""), AskedStatus.SUCCESS, OptionalLong.of(1), Requester.ANY));

        assertThat(status(queue.acquire(new RequestId("sha", "77", 1, ""), 1))).isEqualTo("completed");
        assertThat(token(queue.acquire(new RequestId("sha", "77", 2, ""), 1))).isEqualTo(2);
    }

    @Test
    @DisplayName("A second attempt withdraws the first one if that still waits, so that no dead run wins")
    void secondAttemptWithdrawsTheFirst() {
        QueueFixture queue = expecting(2);
        RequestId first = new RequestId("sha", "77", 1, "");
        queue.acquire(first, 5);

        assertThat(status(queue.acquire(new RequestId("sha", "77", 2, ""), 5))).isEqualTo("pending");

        assertThat(queue.state.waiting()).hasSize(1);
        assertThat(status(queue.acquire(first, 5))).isEqualTo("withdrawn");
        assertThat(queue.told("other", 1)).isEqualTo("pending");
        assertThat(status(queue.acquire(new RequestId("sha", "77", 2, ""), 5))).isEqualTo("acquired");
    }

    @Test
    @DisplayName("A second attempt takes the place of the first one where there is no other")
    void secondAttemptTakesThePlaceOfTheFirst() {
        QueueFixture queue =
                QueueFixture.of(QueueFixture.settings(9, 0, QueueSettings.NO_MAXIMUM, AfterFailure.COLLECT, 2));
        queue.acquire(new RequestId("sha", "77", 1, ""), 1);
        queue.acquire("other", 1);

        assertThat(status(queue.acquire(new RequestId("sha", "77", 2, ""), 1))).isEqualTo("pending");
        assertThat(queue.told("one-more", 1)).isEqualTo(Rule.REQUEST_LIMIT.code());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "A first poll of an earlier attempt that comes after the later attempt, which waits or holds, registers nothing")
    void lateFirstPollOfAnEarlierAttemptRegistersNothing(int expected) {
        QueueFixture queue = expecting(expected);
        queue.acquire(new RequestId("sha", "77", 2, "e2e"), 1);

        assertThat(status(queue.acquire(new RequestId("sha", "77", 1, "e2e"), 9)))
                .isEqualTo("withdrawn");

        assertThat(queue.state.waiting()).hasSize(expected - 1);
        assertThat(status(queue.acquire(new RequestId("sha", "77", 1, "unit"), 9)))
                .as("another job")
                .isIn("pending", "acquired");
    }

    @Test
    @DisplayName("Other credentials may not poll, release or withdraw a request; an operator may end it")
    void requestsBelongToTheirCredentials() {
        QueueFixture queue = expecting(1);
        Requester ci = new Requester("ci", false);
        Requester other = new Requester("other", false);
        Requester operator = new Requester("ops", true);
        RequestId holder = RequestId.of("holder");
        RequestId waiter = RequestId.of("waiter");
        queue.acquire(holder, 1, "ref", ci);
        queue.acquire(waiter, 1, "ref", ci);
        QueueState before = queue.state;

        assertThat(status(queue.acquire(holder, 1, "ref", other))).isEqualTo(Rule.NOT_YOURS.code());
        assertThat(status(queue.acquire(holder, 1, "ref", operator))).isEqualTo(Rule.NOT_YOURS.code());
        assertThat(status(queue.acquire(waiter, 9, "ref", other))).isEqualTo(Rule.NOT_YOURS.code());
        assertThat(status(queue.withdraw("holder", other))).isEqualTo(Rule.NOT_YOURS.code());
        assertThat(status(queue.withdraw("waiter", other))).isEqualTo(Rule.NOT_YOURS.code());
        assertThat(status(queue.tell(new QueueEvent.Release(holder, AskedStatus.SUCCESS, OptionalLong.of(1), other))))
                .isEqualTo(Rule.NOT_YOURS.code());
        assertThat(queue.state).isEqualTo(before);

        assertThat(status(queue.withdraw("waiter", operator))).isEqualTo("withdrawn");
        assertThat(status(queue.withdraw("holder", operator))).isEqualTo("withdrawn");
    }

    @Test
    @DisplayName("Credentials that withdraw what others have not registered yet do not keep it out")
    void strangersCannotKeepOthersOut() {
        QueueFixture queue = expecting(1);
        queue.withdraw("sha", new Requester("other", false));

        assertThat(status(queue.acquire(RequestId.of("sha"), 1, "ref", new Requester("ci", false))))
                .isEqualTo("acquired");
    }

    @Test
    @DisplayName(
            "A withdrawal counts although other credentials have withdrawn the unknown run before, or do so afterwards")
    void strangersCannotHideWithdrawals() {
        Requester ci = new Requester("ci", false);
        Requester other = new Requester("other", false);
        for (List<Requester> order : List.of(List.of(other, ci), List.of(ci, other))) {
            QueueFixture queue = expecting(1);
            order.forEach(requester ->
                    assertThat(status(queue.withdraw("sha", requester))).isEqualTo("withdrawn"));

            assertThat(status(queue.acquire(RequestId.of("sha"), 1, "ref", ci))).isEqualTo("withdrawn");
            assertThat(status(queue.acquire(RequestId.of("sha"), 1, "ref", new Requester("third", false))))
                    .isEqualTo("acquired");
        }
    }

    @Test
    @DisplayName("A withdrawal of one's own keeps the run out for the TTL, whenever others have withdrawn it")
    void ownWithdrawalCountsFromItsOwnTime() {
        QueueFixture queue = expecting(1);
        Requester ci = new Requester("ci", false);
        queue.withdraw("sha", new Requester("other", false));
        queue.after(TTL.minusSeconds(1)).withdraw("sha", ci);
        queue.after(Duration.ofSeconds(2)).withdraw("sha", new Requester("third", false));

        assertThat(status(queue.acquire(RequestId.of("sha"), 1, "ref", ci))).isEqualTo("withdrawn");
        queue.after(TTL.minusSeconds(1));
        assertThat(status(queue.acquire(RequestId.of("sha"), 1, "ref", ci))).isEqualTo("acquired");
    }

    @Test
    @DisplayName("A release without a token is refused where one is demanded, and changes nothing")
    void releaseNeedsTheToken() {
        QueueFixture queue = QueueFixture.of(new QueueSettings(
                WINDOW.toNanos(),
                TTL.toNanos(),
                1,
                0,
                QueueSettings.NO_MAXIMUM,
                QueueSettings.NO_MAXIMUM,
                AfterFailure.COLLECT,
                Newcomers.NEXT_ROUND,
                true,
                QueueFixture.RETENTION.toNanos(),
                100));
        queue.acquire("sha", 1);
        QueueState before = queue.state;

        assertThat(status(queue.success("sha"))).isEqualTo(Rule.TOKEN_REQUIRED.code());
        assertThat(queue.state).isEqualTo(before);
        assertThat(status(queue.release("sha", AskedStatus.SUCCESS, OptionalLong.of(1))))
                .isEqualTo("completed");
    }

    @Test
    @DisplayName("Waits are measured from the registration, and told with how they ended")
    void waitsAreMeasured() {
        QueueFixture queue = expecting(2);
        queue.acquire("one", 1);
        queue.after(Duration.ofSeconds(20)).acquire("two", 2);
        queue.after(Duration.ofSeconds(5)).success("two");

        assertThat(queue.waits)
                .containsExactly(
                        new EndedWait(EndedWait.Outcome.ACQUIRED, 0),
                        new EndedWait(
                                EndedWait.Outcome.COMPLETED,
                                Duration.ofSeconds(25).toNanos()));
        assertThat(queue.ended.get(0).heldNanos())
                .isEqualTo(Duration.ofSeconds(5).toNanos());
    }

    @Test
    @DisplayName("No token is given that a floor rules out")
    void tokensAreAboveTheFloor() {
        QueueFixture queue = expecting(1);
        queue.state = queue.state.withTokensAbove(7_000_000);

        assertThat(token(queue.acquire("sha", 1))).isEqualTo(7_000_001);
        assertThat(queue.state.withTokensAbove(5).lastToken()).isEqualTo(7_000_001);
    }

    @Test
    void lateRequestJoinsTheRoundWhenTheHolderFails() {
        QueueFixture queue = expecting(2);
        queue.acquire("one", 1);
        queue.acquire("three", 3);
        queue.acquire("four", 4);

        queue.failure("three");

        assertThat(queue.told("four", 4)).isEqualTo("acquired");
    }

    @Test
    void requestsBeyondTheLimitAreRefused() {
        QueueFixture queue =
                QueueFixture.of(QueueFixture.settings(9, 0, QueueSettings.NO_MAXIMUM, AfterFailure.COLLECT, 2));
        queue.arrive("one", "two");

        assertThat(queue.told("three", 3)).isEqualTo(Rule.REQUEST_LIMIT.code());
        assertThat(queue.told("two", 2)).isEqualTo("pending");
    }

    @Test
    void newRequestsAreRefusedRatherThanOutcomesForgotten() {
        QueueFixture queue =
                QueueFixture.of(QueueFixture.settings(1, 0, QueueSettings.NO_MAXIMUM, AfterFailure.COLLECT, 2));
        for (int run = 0; run < 20; run++) {
            queue.acquire("run-" + run, 1);
            queue.success("run-" + run);
        }

        assertThat(status(queue.acquire("one-more", 1))).isEqualTo(Rule.REQUEST_LIMIT.code());
        assertThat(status(queue.acquire("run-0", 1))).isEqualTo("completed");
    }

    @Test
    @DisplayName("Withdrawals keep others out for the TTL at most, however many there are")
    void withdrawalsDoNotFillTheQueueForLong() {
        QueueFixture queue =
                QueueFixture.of(QueueFixture.settings(1, 0, QueueSettings.NO_MAXIMUM, AfterFailure.COLLECT, 2));
        for (int run = 0; run < 30; run++) {
            queue.withdraw("run-" + run);
        }
        assertThat(status(queue.acquire("one-more", 1))).isEqualTo(Rule.REQUEST_LIMIT.code());

        assertThat(status(queue.after(TTL.plus(NANO)).acquire("one-more", 1))).isEqualTo("acquired");
    }

    @Test
    @DisplayName(
            "Withdrawals of one request by other credentials take the room of outcomes, so that there is an end of them")
    void withdrawalsByOthersAreCounted() {
        QueueFixture queue =
                QueueFixture.of(QueueFixture.settings(1, 0, QueueSettings.NO_MAXIMUM, AfterFailure.COLLECT, 2));
        for (int name = 0; name < 20; name++) {
            assertThat(status(queue.withdraw("sha", new Requester("name-" + name, false))))
                    .isEqualTo("withdrawn");
        }

        assertThat(status(queue.withdraw("sha", new Requester("one-more", false))))
                .isEqualTo(Rule.REQUEST_LIMIT.code());
    }

    @Test
    void historyKeepsTheLastHolds() {
        QueueFixture queue = expecting(1);
        for (int run = 0; run < QueueState.HISTORY_MAX + 5; run++) {
            queue.acquire("run-" + run, 1);
            queue.after(Duration.ofSeconds(1)).success("run-" + run);
        }

        assertThat(queue.state.history()).hasSize(QueueState.HISTORY_MAX);
        assertThat(queue.state.history().get(0).id().headSha()).isEqualTo("run-" + (QueueState.HISTORY_MAX + 4));
        assertThat(queue.state.history().get(0).heldNanos()).isEqualTo(1_000_000_000L);
    }
}
