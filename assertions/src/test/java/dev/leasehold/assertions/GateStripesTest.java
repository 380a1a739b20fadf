package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which stripe a transaction writes. */
class GateStripesTest {

    private final GateStripes stripes = new GateStripes(4, () -> true);

    /** A session, and whether it has a transaction. */
    private record Caller(ClientSession session, AtomicBoolean active) {

        static Caller inTransaction() {
            AtomicBoolean active = new AtomicBoolean(true);
            ClientSession session = (ClientSession) Proxy.newProxyInstance(
                    Caller.class.getClassLoader(),
                    new Class<?>[] {ClientSession.class},
                    (proxy, method, arguments) -> {
                        assertThat(method.getName()).isEqualTo("hasActiveTransaction");
                        return active.get();
                    });
            return new Caller(session, active);
        }
    }

    @Test
    void transactionsAtTheSameTimeHaveAStripeEach() {
        assertThat(stripesOf(callers(4))).containsExactlyInAnyOrder(1, 2, 3, 4);
    }

    @Test
    void moreTransactionsThanStripesAreSpreadEvenly() {
        assertThat(stripesOf(callers(12))).containsExactlyInAnyOrder(1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4);
    }

    @Test
    void aTransactionThatAssertsAgainWritesTheSameStripe() {
        List<Caller> callers = callers(4);
        List<Integer> first = stripesOf(callers);

        assertThat(stripesOf(callers)).isEqualTo(first);
    }

    @Test
    void aTransactionThatFailedAtItsStripeGetsAnotherOne() {
        Caller caller = Caller.inTransaction();
        int first = stripes.of(caller.session());

        stripes.leave(caller.session());

        assertThat(stripes.of(caller.session())).isNotEqualTo(first);
    }

    @Test
    void nobodyLosesItsStripeByAnotherOnesFailure() {
        List<Caller> callers = callers(4);
        List<Integer> taken = stripesOf(callers);

        stripes.leave(Caller.inTransaction().session());
        stripes.leave(callers.get(1).session());

        assertThat(List.of(stripes.of(callers.get(0).session()), stripes.of(callers.get(2).session())))
                .isEqualTo(List.of(taken.get(0), taken.get(2)));
    }

    @Test
    void theStripeOfAnEndedTransactionIsFree() {
        List<Caller> callers = callers(4);
        List<Integer> taken = stripesOf(callers);

        callers.get(2).active().set(false);

        assertThat(stripes.of(Caller.inTransaction().session())).isEqualTo(taken.get(2));
    }

    @Test
    void aStripeThatHasJustBecomeFreeComesLast() {
        List<Integer> used = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Caller caller = Caller.inTransaction();
            used.add(stripes.of(caller.session()));
            caller.active().set(false);
        }

        assertThat(used.subList(0, 4)).doesNotHaveDuplicates();
        assertThat(used.subList(4, 8)).isEqualTo(used.subList(0, 4));
    }

    @Test
    void oneStripeServesAll() {
        GateStripes one = new GateStripes(1, () -> true);

        assertThat(callers(3)).allSatisfy(caller -> assertThat(one.of(caller.session())).isOne());
    }

    @Test
    void threadsAtTheSameTimeGetAStripeEach() throws Exception {
        GateStripes many = new GateStripes(LeaseIds.STRIPES_MAX, () -> true);
        CyclicBarrier start = new CyclicBarrier(LeaseIds.STRIPES_MAX);
        ExecutorService threads = Executors.newFixedThreadPool(LeaseIds.STRIPES_MAX);
        // Sessions that nobody can reach any more would free their stripes.
        List<Caller> callers = callers(LeaseIds.STRIPES_MAX);
        try {
            List<Future<Integer>> taken = new ArrayList<>();
            for (Caller caller : callers) {
                taken.add(threads.submit(() -> {
                    start.await();
                    return many.of(caller.session());
                }));
            }
            var found = ConcurrentHashMap.<Integer>newKeySet();
            for (Future<Integer> each : taken) {
                found.add(each.get());
            }
            assertThat(found).hasSize(LeaseIds.STRIPES_MAX);
            assertThat(callers).allMatch(caller -> caller.active().get());
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Caller> callers(int count) {
        return IntStream.range(0, count).mapToObj(i -> Caller.inTransaction()).toList();
    }

    private List<Integer> stripesOf(List<Caller> callers) {
        return callers.stream().map(caller -> stripes.of(caller.session())).toList();
    }
}
