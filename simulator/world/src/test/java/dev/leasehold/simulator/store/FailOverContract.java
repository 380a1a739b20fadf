package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is visible before a majority has it, and what becomes of it when the primary is another one. */
abstract class FailOverContract extends StoreContract {

    private static final int TRIES_MAX = 30;

    private Meanwhile<WriteOutcome> waiting;

    FailOverContract(ContractDeployment deployment) {
        super(deployment);
    }

    /** A fail-over may cost some tries. */
    private static WriteOutcome atLast(Supplier<WriteOutcome> write) {
        WriteOutcome outcome = write.get();
        for (int tries = 1; !outcome.equals(WriteOutcome.APPLIED) && tries < TRIES_MAX; tries++) {
            outcome = write.get();
        }
        return outcome;
    }

    private static long tokenReadBy(ContractWriter writer, String lease) {
        StoredLease found =
                writer.store().read(Set.of(lease), "absent").leases().get(0);
        return ((StoredLease.Sound) found).document().token();
    }

    // ---- below majority ----

    @Test
    void aCommitThatNoMajorityHasIsUnknownAndOnlyThePrimaryShowsIt() {
        ContractWriter a = impatientWriter("a");
        a.commits(a.insert("x"));
        LeaseWrite take = a.take("x", "h2");
        stopReplication();

        assertThat(a.commit(take).verdict()).isEqualTo(Verdict.UNKNOWN);

        assertThat(deployment.newestToken("x")).isEqualTo(2);
        assertThat(token("x")).as("for others that read").isEqualTo(1);
        deployment.resumeReplication();
        assertThat(atLast(a.store()::commitAgain)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(token("x")).isEqualTo(2);
    }

    @Test
    void aWriteOfTheClockThatNoMajorityHasIsUnknown() {
        ContractWriter a = impatientWriter("a");
        a.writes(a.join());
        stopReplication();

        assertThat(a.write(a.heartbeat()).verdict()).isEqualTo(Verdict.UNKNOWN);

        assertThat(entry("a").timeNanos()).isEqualTo(a.stampNanos() - 1);
        deployment.resumeReplication();
        assertThat(atLast(() -> a.write(a.barrier()))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(entry("a").timeNanos()).isEqualTo(a.stampNanos());
    }

    @Test
    void aWriteThatMissesIsUnknownToo() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = impatientWriter("b");
        LeaseWrite insert = a.insert("x");
        stopReplication();
        a.commit(insert);

        assertThat(b.write(b.heartbeat()).verdict())
                .as("what it found may be taken back")
                .isEqualTo(Verdict.UNKNOWN);
        deployment.resumeReplication();
    }

    @Test
    void aWriteThatWaitsWhenThePrimaryIsReplacedIsSettledByABarrier() {
        ContractWriter a = writer("a");
        ContractWriter b = patientWriterWithSession("b");

        WriteOutcome outcome = a.commitAfter(() -> {
            waiting = deployment.meanwhile(() -> b.write(b.heartbeat()));
            deployment.awaitBlocked(waiting);
            deployment.replacePrimary();
        });

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(waiting.join().verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(atLast(() -> b.write(b.barrier()))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(entry("b").timeNanos()).as("it waited in vain").isEqualTo(Fixture.Z);
    }

    @Test
    void whatNoMajorityHasIsInNoOthersWayAndIsWhatTheNextOneFinds() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = impatientWriter("b");
        a.commits(a.insert("x"));
        LeaseWrite.Replace take = a.take("x", "h2");
        stopReplication();
        a.commit(take);

        WriteOutcome outcome =
                b.commit(new LeaseWrite.Replace(take.document().guard(), b.document("x", "h3", 3), true));

        assertThat(outcome.verdict()).as("no conflict, no miss").isEqualTo(Verdict.UNKNOWN);
        assertThat(deployment.newestToken("x")).isEqualTo(3);
        deployment.resumeReplication();
    }

    @Test
    void aReadAfterAMissWaitsForWhatMadeItMiss() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = writer("b");
        a.commits(a.insert("x"));
        LeaseWrite take = a.take("x", "h2");
        LeaseWrite stale = b.take("x", "h3");
        stopReplication();
        a.commit(take);
        assertThat(b.commit(stale)).isEqualTo(WriteOutcome.MISSED);

        Meanwhile<Long> read = deployment.meanwhile(() -> tokenReadBy(b, "x"));
        deployment.awaitBlocked(read);
        deployment.resumeReplication();

        assertThat(read.join()).isEqualTo(2);
    }

    // ---- a primary that is replaced in good order ----

    @Test
    void anOpenTransactionEndsWithThePrimaryAndIsNeverCommitted() {
        ContractWriter a = writer("a");
        Caller caller = deployment.caller();
        a.commits(a.insert("y"));
        caller.begins();
        caller.asserts(tenure("y"));
        caller.writes("order", 7);

        WriteOutcome outcome = a.commitAfter(deployment::replacePrimary, a.insert("x"));

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(caller::commits)
                .matches(e -> e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
        assertThat(caller.stored("order")).isNull();
        assertThat(isThere("x")).isFalse();
        assertThat(a.store().idleTransactions()).isEmpty();
        assertThat(atLast(() -> a.commit(a.insert("x"), a.extend("y")))).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void aStoreGoesOnWithTheNextPrimaryAndNothingAcknowledgedIsMissing() {
        ContractWriter a = writerWithSession("a");
        a.commits(a.insert("x")).commits(a.take("x", "h2")).writes(a.heartbeat());
        long timeNanos = a.stampNanos();
        long ticks = ticks();

        deployment.replacePrimary();

        assertThat(tokenReadBy(a, "x")).isEqualTo(2);
        assertThat(entry("a").timeNanos()).isEqualTo(timeNanos);
        assertThat(ticks()).isEqualTo(ticks);
        assertThat(atLast(() -> a.write(a.barrier()))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(atLast(() -> a.commit(a.take("x", "h3")))).isEqualTo(WriteOutcome.APPLIED);
    }

    // ---- a primary that is lost ----

    @Test
    void whatNoMajorityHadIsLostWithThePrimaryAndAnOldCommitIsToldSo() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = impatientWriter("b");
        b.writes(b.join());
        a.commits(a.insert("x"));
        long stampNanos = b.stampNanos();
        LeaseWrite take = a.take("x", "h2");
        stopReplication();
        assertThat(a.commit(take).verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(b.write(b.heartbeat()).verdict()).isEqualTo(Verdict.UNKNOWN);

        deployment.losePrimary();

        assertThat(verdictAtLast(a.store()::commitAgain)).as("no, never").isEqualTo(Verdict.UNAVAILABLE);
        assertThat(token("x")).isEqualTo(1);
        assertThat(atLast(() -> b.write(b.barrier()))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(entry("b").timeNanos()).isEqualTo(stampNanos);
        assertThat(atLast(() -> a.commit(a.take("x", "h3")))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(token("x")).as("the number comes again").isEqualTo(2);
        assertThat(lease("x").holder()).isEqualTo("h3");
    }

    private static Verdict verdictAtLast(Supplier<WriteOutcome> write) {
        Verdict verdict = write.get().verdict();
        for (int tries = 1; verdict == Verdict.UNKNOWN && tries < TRIES_MAX; tries++) {
            verdict = write.get().verdict();
        }
        return verdict;
    }

    @Test
    void whatAMajorityHasOutlivesThePrimaryAndACommitOfItMayBeSentAgain() {
        ContractWriter a = impatientWriter("a");
        a.commits(a.insert("x"));
        WriteOutcome outcome = a.commitAfter(() -> deployment.befall(Mishap.DONE_AND_FAILED), a.take("x", "h2"));
        deployment.mend();
        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
        deployment.awaitReplication();

        deployment.losePrimary();

        assertThat(atLast(a.store()::commitAgain)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(tokenReadBy(a, "x")).isEqualTo(2);
    }
}
