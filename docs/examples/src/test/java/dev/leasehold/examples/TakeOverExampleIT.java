package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.Tenures;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class TakeOverExampleIT {

    private static final Duration TERM = Duration.ofSeconds(60);

    private final LeaseEngine holder;
    private final LeaseEngine waiting;

    TakeOverExampleIT(TestDatabase database) {
        holder = ExampleEngine.start(database);
        waiting = ExampleEngine.start(database);
    }

    @AfterEach
    void closeEngines() {
        holder.close();
        waiting.close();
    }

    @Test
    void aFreeLeaseIsClaimed() throws InterruptedException {
        Tenure acquired = acquire(waiting);

        assertThat(acquired).isEqualTo(tenure("b", acquired.token()));
        assertThat(waiting.tenures().isHeld(acquired)).isTrue();
    }

    @Test
    void aLeaseWhoseTermRunsOutIsTakenOver() throws InterruptedException {
        Tenure held =
                holder.tenures().claim("work", "a", Duration.ofMillis(200)).orElseThrow();

        assertThat(acquire(waiting)).isEqualTo(tenure("b", held.token() + 1));
    }

    @Test
    void aLeaseThatIsGivenUpMeanwhileIsClaimed() throws InterruptedException {
        Tenure held = holder.tenures().claim("work", "a", TERM).orElseThrow();
        List<String> calls = new ArrayList<>();

        Tenure acquired = acquire(watched(waiting, call -> {
            calls.add(call);
            if (calls.size() == 1) {
                holder.tenures().release(held).orElseThrow();
            }
        }));

        assertThat(acquired).isEqualTo(tenure("b", held.token() + 1));
        assertThat(calls).containsExactly("claim", "takeOver", "claim");
    }

    private static Tenure acquire(LeaseEngine engine) throws InterruptedException {
        return TakeOverExample.acquire(engine, "work", "b", TERM, Duration.ofMillis(20));
    }

    private static Tenure tenure(String holder, long token) {
        return new Tenure("examples", "work", holder, token);
    }

    /** The engine, and something that is done after each call that it answered. */
    private static LeaseEngine watched(LeaseEngine engine, AfterCall afterCall) {
        Object tenures = Proxy.newProxyInstance(
                Tenures.class.getClassLoader(), new Class<?>[] {Tenures.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(engine.tenures(), arguments);
                    afterCall.accept(method.getName());
                    return answer;
                });
        return (LeaseEngine) Proxy.newProxyInstance(
                LeaseEngine.class.getClassLoader(),
                new Class<?>[] {LeaseEngine.class},
                (proxy, method, arguments) ->
                        method.getName().equals("tenures") ? tenures : method.invoke(engine, arguments));
    }

    private interface AfterCall {
        void accept(String call) throws InterruptedException;
    }
}
