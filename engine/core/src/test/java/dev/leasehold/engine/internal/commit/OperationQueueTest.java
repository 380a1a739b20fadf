package dev.leasehold.engine.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which operations share the next transaction. */
class OperationQueueTest {

    private final OperationQueue queue = new OperationQueue();

    @Test
    void emptyQueueHasNoBatch() {
        assertThat(queue.nextBatch()).isEmpty();
    }

    @Test
    void operationsOnDifferentLeasesShareABatchInTheirOrder() {
        PendingOperation one = add("one");
        PendingOperation two = add("two");
        PendingOperation three = add("three");

        assertThat(queue.nextBatch()).containsExactly(one, two, three);
    }

    @Test
    void secondOperationOnALeaseWaitsForTheFirst() {
        PendingOperation first = add("one");
        PendingOperation second = add("one");
        PendingOperation other = add("two");

        assertThat(queue.nextBatch()).containsExactly(first, other);
        end(first);
        assertThat(queue.nextBatch()).containsExactly(second, other);
    }

    @Test
    void operationsStayUntilTheyAreOver() {
        PendingOperation one = add("one");

        assertThat(queue.nextBatch()).containsExactly(one);
        assertThat(queue.nextBatch()).containsExactly(one);
        end(one);

        assertThat(queue.nextBatch()).isEmpty();
    }

    @Test
    void operationThatGoesAloneAndFailsLeavesTheNextRoundToTheOthers() {
        PendingOperation blocked = add("one");
        PendingOperation two = add("two");
        PendingOperation three = add("three");
        blocked.retryState().alone(new LeaseUnavailableException("blocked", null));

        assertThat(queue.nextBatch()).containsExactly(blocked);
        assertThat(queue.nextBatch()).containsExactly(two, three);
        PendingOperation later = add("four");
        assertThat(queue.nextBatch()).containsExactly(blocked);
        end(two);
        end(three);
        assertThat(queue.nextBatch()).containsExactly(later);
    }

    @Test
    void releaseAndRenewalOfALeaseWaitForNoOtherOperationOnIt() {
        Tenure tenure = new Tenure("billing", "one", "h", 1);
        PendingOperation withdraw = add(new Request.Withdraw("one", "a#1", Set.of(1L)));
        PendingOperation pin = add(new Request.Pin("one", "ops", true));
        PendingOperation renewal = add(new Request.Extend(tenure, 17));
        PendingOperation release = add(new Request.Release(tenure));

        for (PendingOperation next : List.of(release, renewal, withdraw, pin)) {
            assertThat(queue.nextBatch()).containsExactly(next);
            end(next);
        }
    }

    @Test
    void renewalThatIsTriedAgainSharesWithRenewalsOnly() {
        PendingOperation other = add("one");
        PendingOperation first = add(new Request.Extend(new Tenure("billing", "two", "h", 1), 17, true));
        PendingOperation second = add(new Request.Extend(new Tenure("billing", "three", "h", 1), 17, true));
        assertThat(queue.nextBatch()).containsExactly(other, first, second);

        first.retryState().failed(new LeaseUnavailableException("in the way", null));

        assertThat(queue.nextBatch()).containsExactly(first, second);
        first.retryState().parked(true);
        assertThat(queue.nextBatch()).containsExactly(other, second);
    }

    @Test
    void renewalSharesWithNothingThatIsTriedAgain() {
        PendingOperation missed = add("one");
        missed.retryState().failed(new LeaseUnavailableException("missed", null));
        PendingOperation fresh = add("two");
        PendingOperation renewal = add(new Request.Extend(new Tenure("billing", "three", "h", 1), 17, true));

        assertThat(queue.nextBatch()).containsExactly(renewal);
        assertThat(queue.nextBatch()).containsExactly(missed, fresh);
    }

    @Test
    void renewalsThatAreTriedAgainAndAgainTakeTurnsWithTheOthers() {
        PendingOperation other = add("one");
        PendingOperation first = add(new Request.Extend(new Tenure("billing", "two", "h", 1), 17, true));
        PendingOperation second = add(new Request.Extend(new Tenure("billing", "three", "h", 1), 17, true));
        first.retryState().failed(new LeaseUnavailableException("in the way", null));
        second.retryState().alone(new LeaseUnavailableException("in the way", null));

        assertThat(queue.nextBatch()).containsExactly(first);
        assertThat(queue.nextBatch()).containsExactly(other);
        assertThat(queue.nextBatch()).containsExactly(second);
        assertThat(queue.nextBatch()).containsExactly(other);
        end(other);
        assertThat(queue.nextBatch()).containsExactly(first);
        assertThat(queue.nextBatch()).containsExactly(second);
    }

    @Test
    void parkedOperationIsNotOvertakenOnItsLease() {
        PendingOperation parked = add("one");
        add("one");
        PendingOperation other = add("two");
        parked.retryState().parked(true);

        assertThat(queue.nextBatch()).containsExactly(other);
        parked.retryState().parked(false);
        assertThat(queue.nextBatch()).containsExactly(parked, other);
    }

    @Test
    void batchHasALimitAndKeepsTheOrderBeyondIt() {
        List<PendingOperation> all = new ArrayList<>();
        for (int number = 0; number < OperationQueue.BATCH_LIMIT + 1; number++) {
            all.add(add("lease" + number));
        }

        assertThat(queue.nextBatch()).isEqualTo(all.subList(0, OperationQueue.BATCH_LIMIT));
    }

    @Test
    void smallestLimitInABatchCountsForAll() {
        PendingOperation one = add("one");
        PendingOperation two = limited("two", 2);
        add("three");

        assertThat(queue.nextBatch()).containsExactly(one, two);
    }

    @Test
    void operationThatWantsToBeAloneJoinsNone() {
        PendingOperation one = add("one");
        PendingOperation alone = limited("two", 1);
        PendingOperation three = add("three");

        assertThat(queue.nextBatch()).containsExactly(one, three);
        end(one);
        end(three);
        assertThat(queue.nextBatch()).containsExactly(alone);
    }

    @Test
    void operationThatWantsToBeAloneAndIsFirstGoesAlone() {
        PendingOperation alone = limited("one", 1);
        PendingOperation two = add("two");

        assertThat(queue.nextBatch()).containsExactly(alone);
        alone.retryState().parked(true);
        assertThat(queue.nextBatch()).containsExactly(two);
    }

    @Test
    void sweepHandsOutWhatIsNotOverAndDropsWhatIs() {
        PendingOperation gone = add("one");
        PendingOperation stays = add("two");
        PendingOperation ends = add("three");
        gone.cancel();
        List<PendingOperation> handed = new ArrayList<>();

        queue.sweep(operation -> {
            handed.add(operation);
            if (operation == ends) {
                operation.claimAnswer();
            }
        });

        assertThat(handed).containsExactly(stays, ends);
        assertThat(queue.nextBatch()).containsExactly(stays);
    }

    private PendingOperation add(String name) {
        return add(new Request.Expire(name));
    }

    private PendingOperation add(Request request) {
        PendingOperation operation = new PendingOperation("billing", request, 17);
        queue.add(operation);
        return operation;
    }

    private PendingOperation limited(String name, int limit) {
        PendingOperation operation = add(name);
        LeaseUnavailableException trouble = new LeaseUnavailableException("conflict", null);
        operation.retryState().halved(trouble, 2 * limit);
        assertThat(operation.retryState().batchLimit()).isEqualTo(limit);
        return operation;
    }

    private void end(PendingOperation operation) {
        operation.claimAnswer();
        queue.sweep(each -> {});
    }
}
