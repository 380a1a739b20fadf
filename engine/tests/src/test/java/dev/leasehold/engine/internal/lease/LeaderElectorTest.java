package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.Thrown;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A leader election campaigns again after whatever ended the lead or the campaign, and tells each lead and its end in order. */
class LeaderElectorTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final LeaseRequest LEADER = LeaseRequest.of("leader");

    private final SteppedLeases a = new SteppedLeases();
    private final List<String> told = new ArrayList<>();
    private final List<Lease> leases = new ArrayList<>();
    private final List<LeaderElection> elections = new ArrayList<>();

    private LeaderElection started() {
        return started(this::granted, loss -> told.add("lost " + loss.tenure().token() + " " + loss.reason()));
    }

    private LeaderElection started(Consumer<Lease> onGranted, Consumer<LeaseLoss> onLost) {
        LeaderElection election = a.elections
                .elect(LEADER)
                .onGranted(onGranted::accept)
                .onLost(onLost::accept)
                .start();
        a.runtime.runDue();
        return election;
    }

    private void granted(Lease lease) {
        leases.add(lease);
        told.add("granted " + lease.token());
    }

    private void lose(Lease lease) {
        a.vacate(lease.name());
        a.leaseManager.onLost(lease.tenure(), Reason.TAKEN_OVER);
        a.runtime.runDue();
    }

    /** Most log formats show the thread. */
    @Test
    void itsThreadShowsTheLeaseAsMessagesDo() {
        a.elections.elect(LeaseRequest.of("lead\u2028er\u202e")).start();

        assertThat(a.runtime.namesOfLiveThreads())
                .filteredOn(name -> name.contains("-election-"))
                .singleElement()
                .asString()
                .endsWith("-election-lead\\u2028er\\u202e");
    }

    @Test
    void leadsUnderTheLeaseThatItIsGranted() {
        LeaderElection election = started();

        assertThat(told).containsExactly("granted 1");
        assertThat(election.isLeader()).isTrue();
        assertThat(election.lease()).containsSame(leases.get(0));
        Lease lease = leases.get(0);
        lease.requireHeld();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThat(lease.tenure()).isEqualTo(a.holding("leader"));
    }

    @Test
    void leaderThatClosesItsLeaseWithoutWaitingIsToldWhenItIsFree() {
        started();
        CompletableFuture<Boolean> closed = leases.get(0).closeAsync().toCompletableFuture();
        assertThat(closed).isNotDone();
        a.runtime.runDue();
        assertThat(closed).isCompletedWithValue(true);
        assertThat(told).startsWith("granted 1", "lost 1 CLOSED");
    }

    @Test
    void campaignsWhileAnotherLeads() {
        a.heldByAnother("leader", "other", 60 * SECOND);
        LeaderElection election = started();
        a.runtime.runFor(59 * SECOND);
        assertThat(told).isEmpty();
        assertThat(election.isLeader()).isFalse();
        assertThat(election.lease()).isEmpty();

        a.runtime.runFor(2 * SECOND);
        assertThat(told).containsExactly("granted 2");
    }

    @Test
    void campaignsAgainAfterEachLoss() {
        LeaderElection election = started();
        lose(leases.get(0));
        a.runtime.runFor(60 * SECOND);
        lose(leases.get(1));

        assertThat(told)
                .containsExactly("granted 1", "lost 1 TAKEN_OVER", "granted 2", "lost 2 TAKEN_OVER", "granted 3");
        assertThat(election.isLeader()).isTrue();
        assertThat(leases.get(0).isHeld()).isFalse();
        assertThatThrownBy(() -> leases.get(0).requireHeld())
                .isInstanceOf(LeaseNotHeldException.class)
                .hasMessageContaining("it was lost");
    }

    @Test
    void leadsThatAreLostAsSoonAsTheyAreGrantedAreFollowedByPausesThatGrow() {
        started();
        for (int leads = 1; leads <= 20; leads++) {
            lose(leases.get(leads - 1));
            a.runtime.runDue();
            assertThat(leases).hasSize(leads == 1 ? 2 : leads);
            a.runtime.runFor(9 * SECOND);
            if (leases.size() == leads) {
                a.runtime.runFor(SECOND);
            }
        }
        assertThat(leases).as("at least one in ten seconds").hasSize(21);

        a.runtime.runFor(10 * SECOND);
        lose(leases.get(20));
        assertThat(leases).as("at once after a long lead").hasSize(22);
    }

    @Test
    void lossDuringTheGrantedCallbackIsToldAfterIt() {
        started(
                lease -> {
                    if (lease.token() == 1) {
                        a.vacate("leader");
                        a.leaseManager.onLost(lease.tenure(), Reason.TAKEN_OVER);
                    }
                    granted(lease);
                },
                loss -> told.add("lost " + loss.tenure().token()));

        assertThat(told).containsExactly("granted 1", "lost 1", "granted 2");
    }

    @Test
    void closeTellsTheLeaderFirstAndReleasesThen() {
        List<Object> atTheLoss = new ArrayList<>();
        LeaderElection election = started(this::granted, loss -> {
            atTheLoss.add(loss.reason());
            atTheLoss.add(leases.get(0).isHeld());
            atTheLoss.add(leases.get(0).remaining());
            atTheLoss.add(a.holding("leader"));
        });

        election.close();

        assertThat(atTheLoss)
                .containsExactly(
                        Reason.CLOSED, false, Duration.ZERO, leases.get(0).tenure());
        assertThat(a.holding("leader")).isNull();
        assertThat(election.isLeader()).isFalse();
        assertThatThrownBy(() -> leases.get(0).requireHeld())
                .isInstanceOf(LeaseNotHeldException.class)
                .hasMessageContaining("the leader election was closed");
        a.runtime.runFor(3600 * SECOND);
        assertThat(told).containsExactly("granted 1");
        assertThat(a.leaseManager.rememberedCount()).isZero();
    }

    @ParameterizedTest(name = "engine {0}, pausing {1}")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void closingTheElectionOrTheEngineEndsTheCampaignAndThePauseBeforeTheNext(boolean engine, boolean pausing) {
        if (pausing) {
            a.refuseWrites(1, new LeaseStoreException("no right to write", null));
        } else {
            a.heldByAnother("leader", "other", 60 * SECOND);
        }
        LeaderElection election = started();

        if (engine) {
            a.leaseManager.close(true);
            a.runtime.runDue();
            endsAllThreadsBut("by hand", "callbacks");
        } else {
            election.close();
            election.close();
        }

        assertThat(a.leaseManager.waiting()).isZero();
        int sent = a.sent().size();
        a.runtime.runFor(120 * SECOND);
        assertThat(a.sent()).hasSize(sent);
        assertThat(told).isEmpty();
    }

    @Test
    void closeWhileTheGrantIsOnItsWayGivesTheLeaseBack() {
        LeaderElection election =
                a.elections.elect(LEADER).onGranted(this::granted).start();
        election.close();
        a.runtime.runDue();

        assertThat(told).isEmpty();
        assertThat(a.holding("leader")).isNull();
        assertThat(a.leaseManager.rememberedCount()).isZero();
    }

    @Test
    void closeByTheGrantedCallbackDoesNotWaitForItself() {
        List<LeaderElection> election = new ArrayList<>();
        election.add(a.elections
                .elect(LEADER)
                .onGranted(lease -> {
                    long beganNanos = a.clock.monotonicNanos();
                    election.get(0).close();
                    told.add("closed in " + (a.clock.monotonicNanos() - beganNanos));
                    assertThat(lease.isHeld()).isFalse();
                })
                .onLost(loss -> told.add("lost " + loss.reason()))
                .start());
        a.runtime.runDue();

        assertThat(told).containsExactly("closed in 0", "lost CLOSED");
        assertThat(a.holding("leader")).isNull();
    }

    @Test
    void closeByTheLostCallbackEndsTheElection() {
        List<LeaderElection> election = new ArrayList<>();
        election.add(a.elections
                .elect(LEADER)
                .onGranted(this::granted)
                .onLost(loss -> election.get(0).close())
                .start());
        a.runtime.runDue();
        lose(leases.get(0));
        a.runtime.runFor(60 * SECOND);

        assertThat(told).containsExactly("granted 1");
        assertThat(a.holding("leader")).isNull();
    }

    @Test
    void leaderThatClosesItsLeaseStepsDownAndLetsOthersComeFirst() {
        LeaderElection election = started();
        Lease lease = leases.get(0);
        lease.close();
        lease.close();

        assertThat(lease.isHeld()).isFalse();
        assertThat(election.isLeader()).isFalse();
        assertThatThrownBy(lease::requireHeld)
                .isInstanceOf(LeaseNotHeldException.class)
                .hasMessageContaining("stepped down");
        a.runtime.runDue();
        assertThat(told).containsExactly("granted 1", "lost 1 CLOSED");
        assertThat(a.holding("leader")).isNull();

        a.runtime.runFor(9 * SECOND);
        assertThat(told).hasSize(2);
        a.runtime.runFor(2 * SECOND);
        assertThat(told).containsExactly("granted 1", "lost 1 CLOSED", "granted 2");
    }

    /** In a language without checked exceptions a callback may throw any. */
    @ParameterizedTest
    @MethodSource("thrown")
    void leaderWhoseGrantedCallbackThrowsStepsDown(Throwable thrown) {
        try (LogCapture log = new LogCapture()) {
            started(
                    lease -> {
                        granted(lease);
                        if (lease.token() == 1) {
                            Thrown.asItIs(thrown);
                        }
                    },
                    loss -> told.add("lost " + loss.tenure().token()));
            assertThat(log.warningsAbout("its granted callback has thrown")).hasSize(1);
        }
        assertThat(a.holding("leader")).isNull();
        a.runtime.runFor(11 * SECOND);
        assertThat(told).containsExactly("granted 1", "lost 1", "granted 2");
    }

    static Stream<Throwable> thrown() {
        return Stream.of(new IllegalStateException("thrown"), new StackOverflowError(), new IOException("thrown"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void campaignsAgainAlthoughTheLostCallbackThrows(Throwable thrown) {
        started(this::granted, loss -> Thrown.asItIs(thrown));
        try (LogCapture log = new LogCapture()) {
            lose(leases.get(0));
            assertThat(log.warningsAbout("its lost callback has thrown")).hasSize(1);
        }
        assertThat(told).containsExactly("granted 1", "granted 2");
    }

    @Test
    void failedCampaignsAreLoggedAndRepeatedWithGrowingPauses() {
        a.refuseWrites(4, new LeaseStoreException("no right to write", null));
        try (LogCapture log = new LogCapture()) {
            LeaderElection election = started();
            assertThat(election.isLeader()).isFalse();
            a.runtime.runFor(20 * SECOND);
            assertThat(log.warningsAbout("no right to write"))
                    .as("the first, and each time that they have doubled")
                    .hasSize(3);
        }
        assertThat(told).containsExactly("granted 1");
        assertThat(a.runtime.windowsNanos()).containsExactly(100_000_000L, 200_000_000L, 400_000_000L, 800_000_000L);
    }

    @Test
    void unknownOutcomeIsNoLeadAndIsAskedForAgain() {
        a.store.onWrite(write -> ScriptedStore.unknown());
        started();
        assertThat(told).isEmpty();
        a.runtime.runFor(20 * SECOND);
        assertThat(told).containsExactly("granted 1");
    }

    @Test
    void closedEngineEndsTheLeadAndTheElection() {
        LeaderElection election = started();
        a.leaseManager.close(true);
        a.runtime.runDue();

        assertThat(told).containsExactly("granted 1", "lost 1 CLOSED");
        assertThat(election.isLeader()).isFalse();
        assertThatThrownBy(() -> a.elections.elect(LEADER).start()).isInstanceOf(LeaseEngineClosedException.class);
        endsAllThreadsBut("by hand", "callbacks");
    }

    private void endsAllThreadsBut(String... others) {
        assertThat(a.runtime.namesOfLiveThreads()).containsExactlyInAnyOrder(others);
    }

    @Test
    void badRequestIsRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> a.elections.elect(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("request null");
        assertThatThrownBy(() -> a.elections.elect(LEADER).onGranted(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("callback null");
        assertThatThrownBy(() -> a.elections.elect(LEADER).onLost(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("callback null");
        LeaderElection.Builder tooShort = a.elections.elect(LEADER.term(Duration.ofSeconds(1)));
        assertThatThrownBy(tooShort::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("term PT1S");
        assertThat(a.sent()).isEmpty();
    }

    /** Starts an election whose granted callback runs the action and then blocks beyond the close budget. */
    private List<Object> holdingsWhileBlocked(Consumer<Lease> action) {
        List<Object> holdings = new ArrayList<>();
        LeaderElection[] election = new LeaderElection[1];
        election[0] = a.elections
                .elect(LEADER.term(SteppedLeases.MINUTE))
                .onGranted(lease -> {
                    granted(lease);
                    if (leases.size() == 1) {
                        elections.add(election[0]);
                        action.accept(lease);
                        a.runtime.runFor(4 * SECOND);
                        holdings.add(a.holding("leader") != null);
                        a.runtime.runFor(2 * SECOND);
                        holdings.add(a.holding("leader") != null);
                    }
                })
                .onLost(loss -> told.add("lost " + loss.tenure().token() + " " + loss.reason()))
                .start();
        a.runtime.runDue();
        return holdings;
    }

    @Test
    void leaderThatStepsDownAndBlocksLetsGoWhenTheCloseBudgetIsOver() {
        assertThat(holdingsWhileBlocked(Lease::close)).containsExactly(true, false);

        assertThat(told).containsExactly("granted 1", "lost 1 CLOSED");
        assertThat(a.sent(Request.Release.class)).hasSize(1);
        a.runtime.runFor(11 * SECOND);
        assertThat(told).containsExactly("granted 1", "lost 1 CLOSED", "granted 2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leaderWhoseElectionIsClosedInTheCallbackOrByAnInterruptedThreadLetsGoInTimeToo(boolean inTheCallback) {
        assertThat(holdingsWhileBlocked(lease -> {
                    if (inTheCallback) {
                        elections.get(0).close();
                    } else {
                        closedByAnInterruptedThread(elections.get(0));
                    }
                }))
                .containsExactly(true, false);

        assertThat(told).containsExactly("granted 1", "lost 1 CLOSED");
    }

    private static void closedByAnInterruptedThread(LeaderElection election) {
        Thread closer = new Thread(() -> {
            Thread.currentThread().interrupt();
            election.close();
        });
        closer.start();
        try {
            closer.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void lossIsToldAlthoughAllThreadsForCallbacksAreBlocked() {
        started();
        LeaseLoss[] heard = new LeaseLoss[1];
        leases.get(0).onLost(loss -> heard[0] = loss);
        a.runtime.runDue();
        a.blockCallbacks();

        lose(leases.get(0));

        assertThat(heard[0]).isNull();
        assertThat(told).containsExactly("granted 1", "lost 1 TAKEN_OVER", "granted 2");
    }

    // ---- for another process ----

    private final SteppedLeases queued = SteppedLeases.withTickets();

    /** A leader, to which the stream reports tickets by now, as it does for what is held for long. */
    private LeaderElection leads(LeaseRequest request) {
        LeaderElection election =
                queued.elections.elect(request).yieldToHigherPriority().start();
        queued.runtime.runFor(2 * SECOND);
        assertThat(election.isLeader()).isTrue();
        return election;
    }

    private void preferredWaits() {
        queued.waitedForElsewhere("leader", "preferred", 1, SteppedLeases.SESSION);
        queued.changes.tell(new LeaseChange.Queued("leader"));
    }

    private void assertThatThePreferredOneLeads(LeaderElection former) {
        assertThat(former.isLeader()).isFalse();
        assertThat(queued.holding("leader")).extracting(Tenure::holder).isEqualTo("preferred");
    }

    @Test
    @DisplayName("Q-29: a leader does not yield as long as its lease is pinned, since no other could lead")
    void yieldsWhenThePinIsLifted() {
        LeaderElection election = leads(LEADER);
        queued.pin("leader", true);
        preferredWaits();
        queued.runtime.runFor(3 * SECOND);
        assertThat(election.isLeader()).isTrue();

        queued.pin("leader", false);
        queued.runtime.runFor(2 * SECOND);

        assertThatThePreferredOneLeads(election);
    }

    @Test
    @DisplayName("Q-29: a leader does not yield during its minimum hold, since its lease would be kept free")
    void yieldsBehindTheMinimumHold() {
        LeaderElection election = leads(LEADER.atLeast(Duration.ofSeconds(5)));
        preferredWaits();
        queued.runtime.runFor(2 * SECOND);
        assertThat(election.isLeader()).isTrue();

        queued.runtime.runFor(3 * SECOND);

        assertThatThePreferredOneLeads(election);
    }

    private boolean stepsDownToThePreferredOne(LeaderElection election) {
        CompletableFuture<Boolean> result = election.stepDownTo("preferred").toCompletableFuture();
        queued.runtime.runDue();
        return result.join();
    }

    @Test
    @DisplayName("Q-29: stepDownTo while the lease is pinned: false, and it leads on")
    void doesNotStepDownWhileItsLeaseIsPinned() {
        LeaderElection election = leads(LEADER);
        preferredWaits();
        queued.pin("leader", true);
        assertThat(stepsDownToThePreferredOne(election)).isFalse();
        assertThat(election.isLeader()).isTrue();

        queued.pin("leader", false);
        assertThat(stepsDownToThePreferredOne(election)).isTrue();
        assertThatThePreferredOneLeads(election);
    }

    @Test
    @DisplayName("Q-29: stepDownTo during the minimum hold: false, and it leads on")
    void doesNotStepDownDuringItsMinimumHold() {
        LeaderElection election = leads(LEADER.atLeast(Duration.ofSeconds(5)));
        preferredWaits();
        assertThat(stepsDownToThePreferredOne(election)).isFalse();
        assertThat(election.isLeader()).isTrue();

        queued.clock.advance(3 * SECOND);
        assertThat(stepsDownToThePreferredOne(election)).isTrue();
        assertThatThePreferredOneLeads(election);
    }

    @Test
    @DisplayName("Q-29: all elections of one holder yield, since the last one would keep the lease")
    void allElectionsOfOneHolderYield() {
        LeaderElection one = leads(LEADER.holder("a"));
        LeaderElection other = leads(LEADER.holder("a"));

        preferredWaits();
        queued.runtime.runFor(2 * SECOND);

        assertThatThePreferredOneLeads(one);
        assertThatThePreferredOneLeads(other);
    }
}
