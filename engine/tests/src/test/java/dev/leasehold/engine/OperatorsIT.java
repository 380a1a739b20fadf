package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static dev.leasehold.engine.TestEngine.refused;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What operators do through {@code b} to leases that {@code a} holds. */
class OperatorsIT extends WithEngines {

    private static final LeaseRequest SESSION = LeaseRequest.of("name").holder("h");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));

    private final List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
    private TestEngine a;
    private TestEngine b;
    private LeaseAdmin operator;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
        operator = b.engine().admin();
    }

    static List<Arguments> kinds() {
        return List.of(Arguments.of("session", SESSION), Arguments.of("term", TERM));
    }

    private Set<String> pins() throws InterruptedException {
        LeaseState state = operator.inspect("name");
        return state instanceof LeaseState.Held held ? held.pins() : ((LeaseState.Vacant) state).pins();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("A forced expiry moves the token, shows its reason, and gates out the old tenure")
    void aForcedExpiryMovesTheToken(String kind, LeaseRequest request) throws InterruptedException {
        Lease lease = a.acquires(request);
        a.commitsUnder(lease.assertion());

        Tenure ended = granted(operator.forceExpire("name", "it hangs"));

        assertThat(ended).isEqualTo(lease.tenure());
        LeaseState.Vacant vacant = (LeaseState.Vacant) operator.inspect("name");
        assertThat(vacant.token()).isEqualTo(2);
        assertThat(vacant.comment()).isEqualTo("it hangs");
        assertThatThrownBy(() -> a.commitsUnder(lease.assertion())).isInstanceOf(LeaseNotHeldException.class);
        Lease next = b.acquires(request);
        assertThat(next.token()).isEqualTo(3);
        assertThat(next.comment()).isNull();
        assertThat(stored()).as("the reason goes with the next tenure").doesNotContainKey("comment");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("An order for one tenure does not end another one that began meanwhile")
    void aForcedExpiryOfOneTenureEndsNoOther(String kind, LeaseRequest request) throws InterruptedException {
        Lease shown = a.acquires(request);
        b.hooks().once(Point.BEFORE_UPDATE, () -> {
            shown.close();
            a.acquires(request.holder("h2"));
        });

        refused(operator.forceExpire(shown.tenure(), "it hangs"), Reason.NOT_THAT_TENURE);

        assertThat(engines.shortForm("name")).isEqualTo("h2/2");
        Tenure next = ((LeaseState.Held) operator.inspect("name")).tenure();
        assertThat(granted(operator.forceExpire(next, "it hangs"))).isEqualTo(next);
        assertThat(engines.shortForm("name")).isEqualTo("-/3");
        refused(operator.forceExpire(next, "it hangs"), Reason.VACANT);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("HA-17: the holder of a lease that was expired by force is told that it was taken over")
    void theHolderIsTold(String kind, LeaseRequest request) throws InterruptedException {
        Lease lease = a.acquires(request);
        lease.onLost(losses::add);
        untilItWatches();

        operator.forceExpire("name", "it hangs");

        untilTheLossIsTold();
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(LeaseLoss.Reason.TAKEN_OVER);
        assertThat(lease.isHeld()).isFalse();
        lease.close();
        a.settles();
        assertThat(engines.shortForm("name")).isEqualTo("-/2");
        assertThat(((LeaseState.Vacant) operator.inspect("name")).comment()).isEqualTo("it hangs");
    }

    @Test
    @DisplayName("A forced expiry wakes those that wait")
    void aForcedExpiryWakesWaiters() throws Exception {
        a.acquires(SESSION);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        granted(a.engine().admin().forceExpire("name", "it hangs"));

        assertThat(waiting.get(1, TimeUnit.MINUTES).orElseThrow().token()).isEqualTo(3);
    }

    @Test
    void aForcedExpiryOfWhatIsNotHeldIsRefused() throws InterruptedException {
        refused(operator.forceExpire("name", "it hangs"), Reason.NO_SUCH_LEASE);
        a.acquires(SESSION).close();
        BsonDocument before = stored();

        refused(operator.forceExpire("name", "it hangs"), Reason.VACANT);

        assertThat(stored()).isEqualTo(before);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("A pinned lease is taken by no holder, vacant or not, until the last pin is away")
    void aPinnedLeaseIsNotTaken(String kind, LeaseRequest request) throws InterruptedException {
        Lease lease = a.acquires(request);
        assertThat(operator.pin("name", "ops")).isTrue();
        assertThat(operator.pin("name", "backup")).isTrue();
        assertThat(operator.pin("name", "ops")).isTrue();
        assertThat(pins()).containsExactlyInAnyOrder("ops", "backup");

        lease.close();
        assertThat(engines.shortForm("name")).isEqualTo("-/1");
        b.isRefused(request, Reason.PINNED);
        refused(b.engine().tenures().claim("name", "h2", ofSeconds(60)), Reason.PINNED);
        assertThat(operator.unpin("name", "ops")).isTrue();
        assertThat(operator.unpin("name", "absent")).isTrue();
        b.isRefused(request, Reason.PINNED);
        assertThat(operator.unpin("name", "backup")).isTrue();

        assertThat(b.acquires(request).token()).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("The holder of a pinned lease goes on, and none takes it when its time is over")
    void theHolderOfAPinnedLeaseGoesOn(String kind, LeaseRequest request) throws InterruptedException {
        Lease lease = a.acquires(request);
        operator.pin("name", "ops");
        for (int i = 0; i < 10; i++) {
            a.clock().advance(ofSeconds(10));
            a.settles();
        }
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isGreaterThan(ofSeconds(20));

        b.sees("name");
        b.clock().advance(ofSeconds(61));
        b.isRefused(request.holder("h2"), Reason.PINNED);
        refused(b.engine().tenures().expire("name"), Reason.PINNED);
        refused(b.engine().tenures().takeOver("name", "h2", ofSeconds(60)), Reason.PINNED);

        assertThat(lease.isHeld()).isTrue();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }

    @Test
    @DisplayName("A lease that is pinned between the decision and the write is not taken")
    void aPinInBetweenKeepsTheLeaseFromBeingTaken() throws InterruptedException {
        a.acquires(SESSION).close();
        a.hooks().once(Point.BEFORE_LEASE_WRITE, () -> operator.pin("name", "ops"));

        a.isRefused(SESSION, Reason.PINNED);

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @Test
    void pinsNeedALease() throws InterruptedException {
        assertThat(operator.pin("name", "ops")).isFalse();
        assertThat(operator.unpin("name", "ops")).isFalse();
        assertThat(stored()).isNull();
    }

    @Test
    @DisplayName("An operator sees how a lease stands, and lists all")
    void anOperatorSeesHowALeaseStands() throws InterruptedException {
        assertThat(operator.inspect("name")).isEqualTo(new LeaseState.Absent("name"));
        Lease lease = a.acquires(SESSION.comment("nightly run"));
        operator.pin("name", "ops");
        a.acquires("other").close();

        LeaseState.Held held = (LeaseState.Held) operator.inspect("name");

        assertThat(held.tenure()).isEqualTo(lease.tenure());
        assertThat(held.status()).isEqualTo(LeaseStatus.ACTIVE);
        assertThat(held.comment()).isEqualTo("nightly run");
        assertThat(held.session()).isTrue();
        assertThat(held.pins()).containsExactly("ops");
        assertThat(operator.leases()).extracting(LeaseState::name).containsExactly("name", "other");
        assertThat(operator.leases())
                .extracting(LeaseState::status)
                .containsExactly(LeaseStatus.ACTIVE, LeaseStatus.FREE);
    }

    @Test
    @DisplayName("An operator releases a lease with a term on behalf of its holder, which is told")
    void anOperatorReleasesOnBehalf() throws InterruptedException {
        Lease lease = a.acquires(TERM);
        lease.onLost(losses::add);
        untilItWatches();

        assertThat(granted(operator.release(lease.tenure()))).isEqualTo(lease.tenure());

        untilTheLossIsTold();
        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(LeaseLoss.Reason.TAKEN_OVER);
        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @Test
    void badArgumentsAreRefused() {
        b.hooks().forgetCommands();
        assertThatThrownBy(() -> operator.forceExpire("name", " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reason ' ' is refused");
        assertThatThrownBy(() -> operator.forceExpire("name", "x".repeat(513)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operator.forceExpire("", "it hangs")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operator.forceExpire(new Tenure("elsewhere", "name", "h", 1), "it hangs"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operator.pin("name", "a\tb")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operator.unpin("", "ops")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operator.inspect("a\nb")).isInstanceOf(IllegalArgumentException.class);
        assertThat(b.hooks().commands()).isEmpty();
    }

    /** A lease that has been held for a while is worth watching. */
    private void untilItWatches() {
        a.clock().advance(ofSeconds(2));
        await().until(() -> a.hooks().waitsForChanges() > 0);
    }

    /** By the change itself: no time passes on the engine's clock. */
    private void untilTheLossIsTold() {
        await().until(() -> !losses.isEmpty());
    }
}
