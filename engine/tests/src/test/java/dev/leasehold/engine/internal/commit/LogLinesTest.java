package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.BUDGET;
import static dev.leasehold.engine.internal.commit.SteppedPartition.HOUR;
import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.byOther;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Contention at debug, loss at warn, unknown at error, and what is known later at info; each line about one lease, in one
 * form.
 */
class LogLinesTest {

    private static final Request CLAIM = new Request.Claim("one", "h", SECOND, null);

    private final SteppedPartition a = new SteppedPartition();
    private final LogCapture log = new LogCapture();

    @AfterEach
    void everyLineSaysWhatItIsAbout() {
        log.close();
        assertThat(log.lines())
                .allSatisfy(
                        line -> assertThat(line.getFormattedMessage())
                                .matches(
                                        "namespace 'billing', (lease '[^']+', holder ('[^']+'|-), token (\\d+|-)|writer '[^']+'): .+"));
    }

    private static String about(String lease, String holder, String token) {
        return "namespace 'billing', lease '" + lease + "', holder " + holder + ", token " + token + ": ";
    }

    /** The lines of a level; none of them with a stack trace. */
    private List<String> plain(Level level) {
        assertThat(log.lines())
                .filteredOn(line -> line.getLevel() == level)
                .noneMatch(line -> line.getThrowableProxy() != null);
        return log.messages(level);
    }

    private void assertOneLine(Level level, String beginning, String... parts) {
        assertThat(plain(level))
                .singleElement()
                .asString()
                .startsWith(beginning)
                .contains(parts);
    }

    private void assertNothingAbove(Level level) {
        assertThat(log.lines()).allMatch(line -> !line.getLevel().isGreaterOrEqual(level) || line.getLevel() == level);
    }

    @Test
    void refusalIsDebugWithoutStackTrace() {
        a.store.put(byOther("one", "h2", 5, 17));

        a.submitClaimAndRun("one");

        assertOneLine(Level.DEBUG, about("one", "'h'", "-"), "refused", "'h2'");
        assertNothingAbove(Level.DEBUG);
    }

    @Test
    void refusalOfATenureCarriesItsToken() {
        a.submit(new Request.Release(new Tenure(SteppedPartition.NAMESPACE, "one", "h", 3)));
        a.submit(new Request.Expire("two"));
        a.runtime.runDue();

        assertThat(plain(Level.DEBUG))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith(about("one", "'h'", "3")),
                        line -> assertThat(line).startsWith(about("two", "-", "-")));
    }

    @Test
    void conflictIsDebugForEachOperationWithoutStackTrace() {
        a.store.onCommit((transaction, mayCommit) -> ScriptedStore.conflict());
        a.submitClaim("one", "h1");
        a.submitClaim("two", "h2");

        a.runtime.runFor(SECOND);

        assertThat(plain(Level.DEBUG))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith(about("one", "'h1'", "-"))
                                .contains("attempt 1", "scripted conflict"),
                        line -> assertThat(line)
                                .startsWith(about("two", "'h2'", "-"))
                                .contains("attempt 1", "scripted conflict"));
        assertNothingAbove(Level.DEBUG);
    }

    @Test
    void missIsDebugWithoutStackTrace() {
        a.store.onCommit((transaction, mayCommit) -> WriteOutcome.MISSED);
        a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertOneLine(Level.DEBUG, about("one", "'h'", "-"), "attempt 1", "another engine wrote the lease first");
        assertNothingAbove(Level.DEBUG);
    }

    @Test
    void outageIsDebugForEachTry() {
        a.store.onRead(ScriptedStore.failing(new LeaseUnavailableException("scripted outage", null)));
        a.store.onCommit((transaction, mayCommit) -> ScriptedStore.unavailable());
        a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(plain(Level.DEBUG))
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).startsWith(about("one", "'h'", "-")).contains("scripted outage"));
        assertNothingAbove(Level.DEBUG);
    }

    @Test
    void readThatIsTriedAgainIsDebugOfTheWriter() {
        a.store.onRead(ScriptedStore.failing(new LeaseUnavailableException("scripted outage", null)));

        a.partition.reads().poll(Set.of("one"), a.nowNanos() + SECOND);
        a.runtime.runFor(SECOND);

        assertOneLine(Level.DEBUG, "namespace 'billing', writer 'a#1': ", "attempt 1", "scripted outage");
        assertNothingAbove(Level.DEBUG);
    }

    @Test
    void whatSucceedsAtOnceSaysNothing() {
        a.claims("one", "h");

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void lossIsAWarningWithoutStackTrace() {
        Tenure tenure = a.claims("one", "h");
        a.store.put(byOther("one", "h2", 2, TestClock.Z));

        a.submit(new Request.Extend(tenure, HOUR));
        a.runtime.runFor(SECOND);

        assertThat(plain(Level.WARN)).singleElement().asString().startsWith(about("one", "'h'", "1"));
        assertNothingAbove(Level.WARN);
    }

    @Test
    void unusableLeaseIsAWarning() {
        a.store.put(new StoredLease.Corrupt("bad", "billing#bad", "expiry", "a double"));

        a.submitClaimAndRun("bad");

        assertOneLine(Level.WARN, about("bad", "-", "-"), "billing#bad");
    }

    @Test
    void sessionThatStaysListedIsAWarningOfTheWriter() {
        a.claims("one", "h");
        a.store.onClockWrite(ScriptedStore::unavailable);

        a.partition.closeAfter(CompletableFuture.completedFuture(null), 0, false);
        a.runtime.runDue();

        assertThat(plain(Level.WARN)).singleElement().asString().startsWith("namespace 'billing', writer 'a#1': ");
    }

    @Test
    void unknownOutcomeIsAnErrorForEachOperationAndInfoWhenItIsKnown() {
        Tenure tenure = a.claims("held", "h");
        forsake(a.store::landUnheard, CLAIM, new Request.Extend(tenure, HOUR));

        assertThat(plain(Level.ERROR))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith(about("one", "'h'", "-"))
                                .contains("claim", "scripted loss of the answer"),
                        line -> assertThat(line)
                                .startsWith(about("held", "'h'", "1"))
                                .contains("extend"));
        assertThat(plain(Level.INFO)).isEmpty();

        a.runtime.runFor(SECOND);

        assertThat(plain(Level.INFO))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith(about("one", "'h'", "1"))
                                .contains("claim was carried out"),
                        line -> assertThat(line)
                                .startsWith(about("held", "'h'", "1"))
                                .contains("extend was carried out"));
    }

    @Test
    void unknownOutcomeThatWasNotCarriedOutIsInfo() {
        forsake(ScriptedStore::sentInVain, CLAIM);

        a.runtime.runFor(SECOND);

        assertOneLine(Level.INFO, about("one", "'h'", "-"), "claim was not carried out");
    }

    @Test
    void unknownOutcomeThatWillNeverBeKnownIsAnError() {
        forsake(ScriptedStore::sentInVain, CLAIM);
        a.store.removeWriter("a#1");

        a.runtime.runFor(SECOND);

        assertThat(plain(Level.ERROR))
                .hasSize(2)
                .last()
                .asString()
                .startsWith(about("one", "'h'", "-"))
                .contains("it will never be known");
    }

    @Test
    @DisplayName(
            "An acquisition is given up in any case once nothing waits for it: that it will never be known is a warning")
    void acquisitionThatWillNeverBeKnownIsAWarning() {
        forsake(ScriptedStore::sentInVain, new Request.Acquire("one", "h", 60 * SECOND, null));
        a.store.removeWriter("a#1");

        a.runtime.runFor(SECOND);

        assertThat(plain(Level.ERROR)).singleElement().asString().contains("it is not known yet");
        assertThat(plain(Level.WARN)).anySatisfy(line -> assertThat(line).contains("it will never be known"));
    }

    @Test
    @DisplayName("A renewal that was given up by closing its handle is no news when its commit is answered")
    void operationThatWasForsakenWithoutAWordIsNoNews() {
        a.claims("registered", "h");
        a.store.onCommit((transaction, mayCommit) -> a.store.landUnheard(transaction, mayCommit));
        a.store.onCommitAgain(() -> WriteOutcome.APPLIED);
        PendingOperation claim = a.submitClaimAndRun("one");
        assertThat(claim.detach()).isTrue();

        a.runtime.runFor(SECOND);

        assertThat(plain(Level.INFO)).isEmpty();
        assertThat(plain(Level.DEBUG)).anySatisfy(line -> assertThat(line).contains("it is known now"));
    }

    /** The commit is not answered, and the time of its operations is over before that is found out. */
    private void forsake(ScriptedStore.CommitScript commit, Request... requests) {
        a.claims("registered", "h");
        a.store.onCommit(commit);
        a.store.onCommitAgain(ScriptedStore::unknown);
        for (int number = 0; number < 1000; number++) {
            a.store.onClockWrite(ScriptedStore::unknown);
        }
        List<PendingOperation> operations = Stream.of(requests).map(a::submit).toList();
        a.runtime.runFor(BUDGET + SECOND);
        assertThat(operations).allMatch(operation -> operation.answer().isCompletedExceptionally());
        a.store.forgetClockWriteScripts();
    }

    @Test
    void unexpectedFailureHasOneStackTraceAndALineForEachOperation() {
        a.store.onCommit((transaction, mayCommit) -> {
            throw new IllegalStateException("a bug");
        });
        a.submitClaim("one");
        a.submitClaim("two");

        a.runtime.runDue();

        assertThat(log.messages(Level.ERROR))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("namespace 'billing', writer 'a#1': "),
                        line -> assertThat(line).startsWith(about("one", "'h'", "-")),
                        line -> assertThat(line).startsWith(about("two", "'h'", "-")));
        assertThat(log.lines())
                .filteredOn(line -> line.getThrowableProxy() != null)
                .hasSize(1);
    }

    @Test
    void failedSurveyIsDebugAndABrokenOneAWarning() {
        SteppedPartition metered = new SteppedPartition(new RecordedMetrics());
        metered.store.onRead(
                ScriptedStore.failing(new LeaseStoreException("scripted refusal", null)),
                ScriptedStore.failing(new IllegalStateException("a bug")));

        metered.partition.startLooking();
        metered.runtime.runFor(60 * SECOND);

        assertOneLine(Level.DEBUG, "namespace 'billing', writer 'a#1': ", "scripted refusal");
        assertThat(log.messages(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("namespace 'billing', writer 'a#1': ");
    }
}
