package dev.leasehold.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WaitsTest {

    /** Asked and acquired, again and again. */
    private static List<Waits.Wait> caller(long... nanos) {
        List<Waits.Wait> waits = new ArrayList<>();
        for (int i = 0; i < nanos.length; i += 2) {
            waits.add(new Waits.Wait(nanos[i], nanos[i + 1]));
        }
        return waits;
    }

    @Test
    void theLongestWaitIsComparedWithTheMean() {
        assertThat(new Waits(List.of(caller(0, 10, 20, 30), caller(5, 45))).longestByMean())
                .isEqualTo(2);
    }

    @Test
    void callersThatTakeTurnsAreInOrder() {
        List<List<Waits.Wait>> callers = LongStream.range(0, 3)
                .mapToObj(first -> caller(first, 10 + first, 11 + first, 20 + first, 21 + first, 30 + first))
                .toList();

        assertThat(new Waits(callers).inOrder()).isEqualTo(1);
    }

    @Test
    void aWaitInWhichAnotherCallerComesTwiceIsOutOfOrder() {
        List<Waits.Wait> patient = caller(0, 40, 41, 50);
        List<Waits.Wait> quick = caller(1, 10, 11, 30, 31, 45);

        assertThat(new Waits(List.of(patient, quick)).inOrder()).isEqualTo(0.8);
    }

    @Test
    void anAcquisitionBeforeTheWaitDoesNotCount() {
        List<Waits.Wait> holder = caller(0, 5, 6, 30);
        List<Waits.Wait> waiter = caller(6, 40);

        assertThat(new Waits(List.of(holder, waiter)).inOrder()).isEqualTo(1);
    }

    @Test
    void thereIsNoWaitWhereNoLockWasAcquired() {
        assertThat(new Waits(List.of(caller(), caller())).isEmpty()).isTrue();
    }
}
