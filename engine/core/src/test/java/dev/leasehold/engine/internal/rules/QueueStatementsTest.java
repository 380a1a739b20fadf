package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.STALLED;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Waiter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written into the queue of a lease. */
class QueueStatementsTest {

    private static final Request.Acquire ASKED =
            new Request.Acquire(NAME, "h2", null, "b run", 4, false, 0, 0, 0, "10.0.0.7:80", 5, null);

    @Test
    @DisplayName(
            "A new ticket has this writer's name and the stamp of the round, and asks for what its waiter asks for")
    void ticketAsksForWhatItsWaiterAsksFor() {
        assertThat(sent(ASKED, null)).isEqualTo(new Waiter(ME, Z + 2, "h2", 5, "b run", 4, "10.0.0.7:80"));
    }

    @Test
    void waiterThatAsksForNothingElseHasPriorityZero() {
        assertThat(sent(new Request.Acquire(NAME, "h2", null, null), null))
                .isEqualTo(new Waiter(ME, Z + 2, "h2", 0, null, 0, null));
    }

    @Test
    @DisplayName("A ticket that is sent again keeps its stamp, unless the engine has become a new writer since")
    void ticketKeepsItsNameWhenItIsSentAgain() {
        Waiter mine = new Waiter(ME, 17, "h2", 5, "b run", 4, "10.0.0.7:80");

        assertThat(sent(ASKED, mine)).isEqualTo(mine);
        assertThat(sent(ASKED, new Waiter("me#0", 17, "h2", 5, "b run", 4, "10.0.0.7:80")))
                .isEqualTo(new Waiter(ME, Z + 2, "h2", 5, "b run", 4, "10.0.0.7:80"));
    }

    @Test
    @DisplayName("A write of a queue has no tenure and depends on nothing that was read")
    void queueIsWrittenAlone() {
        Waiter ticket = new Waiter(ME, 17, "h2", 0, null, 0, null);
        Request.OfQueue enqueue = new Request.Enqueue(waiting("h2", 0, null), ticket);
        Request.OfQueue withdraw = new Request.Withdraw(NAME, ME, Set.of(17L));
        Request.OfQueue dropAbsent = new Request.DropAbsent(NAME, Set.of(OTHER));

        assertThat(decide(enqueue)).isEqualTo(alone(new LeaseWrite.Enqueue(NAME, ticket)));
        assertThat(decide(withdraw)).isEqualTo(alone(new LeaseWrite.Withdraw(NAME, ME, Set.of(17L))));
        assertThat(decide(dropAbsent)).isEqualTo(alone(new LeaseWrite.DropAbsent(NAME, Set.of(OTHER))));
        assertThat(List.of(enqueue, withdraw, dropAbsent))
                .extracting(Request::kind, Request::name, Request::holder)
                .containsExactly(
                        tuple("enqueue", NAME, "h2"), tuple("withdraw", NAME, null), tuple("withdraw", NAME, null));
    }

    private static Decision alone(LeaseWrite write) {
        return new Decision.Write(write, null, null, new WriteDependency.OnTheLeaseAlone());
    }

    private static Decision decide(Request.OfQueue request) {
        return LeaseRules.decideOfQueue(request, STALLED);
    }

    private static Waiter sent(Request.Acquire acquire, @Nullable Waiter before) {
        Decision.Write write = (Decision.Write) decide(new Request.Enqueue(acquire, before));
        return ((LeaseWrite.Enqueue) write.write()).waiter();
    }
}
