package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.session.ServerSession;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which stripe a transaction writes. */
class GateStripesTest {

    private final GateStripes stripes = new GateStripes(4, () -> true);

    /** A session, the number of its last transaction, and whether that is open. */
    private record Caller(ClientSession session, AtomicLong transaction, AtomicBoolean active) {

        static Caller inTransaction() {
            AtomicLong transaction = new AtomicLong(1);
            AtomicBoolean active = new AtomicBoolean(true);
            ServerSession serverSession =
                    answering(ServerSession.class, Map.of("getTransactionNumber", transaction::get));
            ClientSession session = answering(
                    ClientSession.class,
                    Map.of("hasActiveTransaction", active::get, "getServerSession", () -> serverSession));
            return new Caller(session, transaction, active);
        }

        void beginsTheNext() {
            transaction.incrementAndGet();
            active.set(true);
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
    void aTransactionThatMayHaveFailedAtItsStripeGetsAnotherOneWhenItIsRunAgain() {
        Caller caller = Caller.inTransaction();
        int first = stripes.of(caller.session());

        caller.beginsTheNext();

        assertThat(stripes.of(caller.session())).isNotEqualTo(first);
    }

    @Test
    void aTransactionThatIsRunAgainAndAgainTriesThemAll() {
        Caller caller = Caller.inTransaction();
        List<Integer> tried = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tried.add(stripes.of(caller.session()));
            caller.beginsTheNext();
        }

        assertThat(tried).containsExactlyInAnyOrder(1, 2, 3, 4);
    }

    @Test
    void aSessionKeepsTheStripeThatItsTransactionHasWritten() {
        List<Caller> callers = callers(2);
        List<Integer> first = stripesOf(callers);
        for (int i = 0; i < 3; i++) {
            callers.forEach(caller -> stripes.wrote(caller.session()));
            callers.forEach(Caller::beginsTheNext);

            assertThat(stripesOf(callers)).isEqualTo(first);
        }
    }

    @Test
    void whatAnEarlierTransactionHasWrittenDoesNotCountForTheNext() {
        Caller caller = Caller.inTransaction();
        int first = stripes.of(caller.session());
        stripes.wrote(caller.session());
        caller.beginsTheNext();
        stripes.of(caller.session());

        caller.beginsTheNext();

        assertThat(stripes.of(caller.session())).isNotEqualTo(first);
    }

    @Test
    void whereNoOtherIsFreeItKeepsItsStripe() {
        List<Caller> callers = callers(4);
        List<Integer> first = stripesOf(callers);

        callers.forEach(Caller::beginsTheNext);

        assertThat(stripesOf(callers)).isEqualTo(first);
    }

    @Test
    void whatItHasLeftIsFreeForOthers() {
        List<Caller> callers = callers(3);
        List<Integer> taken = stripesOf(callers);
        callers.get(1).beginsTheNext();
        stripes.of(callers.get(1).session());

        assertThat(stripes.of(Caller.inTransaction().session())).isEqualTo(taken.get(1));
        assertThat(List.of(
                        stripes.of(callers.get(0).session()),
                        stripes.of(callers.get(2).session())))
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

        assertThat(callers(3))
                .allSatisfy(caller -> assertThat(one.of(caller.session())).isOne());
    }

    @Test
    void threadsAtTheSameTimeGetAStripeEach() throws Exception {
        GateStripes many = new GateStripes(LeaseIds.STRIPES_MAX, () -> true);
        CyclicBarrier start = new CyclicBarrier(LeaseIds.STRIPES_MAX);
        ExecutorService threads = Executors.newFixedThreadPool(LeaseIds.STRIPES_MAX);
        // Sessions that nothing can reach any more would free their stripes.
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

    private static <T> T answering(Class<T> type, Map<String, Supplier<?>> answers) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    assertThat(answers).containsKey(method.getName());
                    return answers.get(method.getName()).get();
                }));
    }

    private static List<Caller> callers(int count) {
        return IntStream.range(0, count).mapToObj(i -> Caller.inTransaction()).toList();
    }

    private List<Integer> stripesOf(List<Caller> callers) {
        return callers.stream().map(caller -> stripes.of(caller.session())).toList();
    }
}
