package dev.leasehold.simulator.store;

import static dev.leasehold.simulator.store.ContractWriter.striped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gate stripes: what writes them, and what an assertion on each of them says. */
abstract class GateStripeContract extends StoreContract {

    private static final int STRIPES = 3;
    private static final int WRITE_CONFLICT = 112;

    GateStripeContract(ContractDeployment deployment) {
        super(deployment);
    }

    /** Callers that each have a transaction open, and the one assertion by which they keep out of each other's way. */
    private record Callers(LeaseAssertion assertion, List<Caller> callers) {

        /** How many of them the assertion lets pass, each on a stripe of its own. */
        int pass() {
            int passed = 0;
            for (Caller caller : callers) {
                try {
                    caller.asserts(assertion);
                    passed++;
                } catch (LeaseNotHeldException e) {
                    assertThat(e.tenure()).isEqualTo(assertion.tenure());
                }
            }
            return passed;
        }

        void end() {
            callers.forEach(Caller::aborts);
        }
    }

    private Callers callers(Tenure tenure, int count) {
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            callers.add(deployment.caller());
            callers.get(i).begins();
        }
        return new Callers(callers.get(0).assertionOf(tenure).gateStripes(count), callers);
    }

    /** On how many of so many stripes the assertion passes. */
    private int passes(Tenure tenure, int stripes) {
        Callers callers = callers(tenure, stripes);
        int passed = callers.pass();
        callers.end();
        return passed;
    }

    private static Tenure tenure(String holder, long token) {
        return new Tenure(Fixture.NAMESPACE, "x", holder, token);
    }

    private ContractWriter writerOfX() {
        ContractWriter a = writer("a");
        return a.commits(a.insert("x", STRIPES));
    }

    @Test
    void theFirstTenureShowsOnAsManyStripesAsAreMade() {
        writerOfX();

        assertThat(lease("x").stripes()).isEqualTo(STRIPES);
        assertThat(passes(tenure("x"), STRIPES)).isEqualTo(STRIPES);
        assertThat(passes(tenure("x"), STRIPES + 2))
                .as("what does not exist shows nothing")
                .isEqualTo(STRIPES);
    }

    @Test
    void callersOnDifferentStripesCommitBesideEachOtherAndAnExtension() {
        ContractWriter a = writerOfX();
        Callers callers = callers(tenure("x"), STRIPES);
        assertThat(callers.pass()).isEqualTo(STRIPES);

        LeaseWrite.Replace extension = a.extend("x");
        a.commits(new LeaseWrite.Replace(
                extension.guard(), striped(extension, STRIPES).document(), extension.unlessPinned()));

        callers.callers().forEach(Caller::commits);
        assertThat(lease("x").gates())
                .as("no caller has asserted on the lease itself")
                .isZero();
        assertThat(lease("x").stripes()).isEqualTo(STRIPES);
        assertThat(passes(tenure("x"), STRIPES)).isEqualTo(STRIPES);
    }

    @Test
    void twoOnOneStripeConflict() {
        writerOfX();
        Caller first = deployment.caller();
        Caller second = deployment.caller();
        first.begins();
        second.begins();
        LeaseAssertion one = first.assertionOf(tenure("x")).gateStripes(1);
        first.asserts(one);

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> second.asserts(one))
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(WRITE_CONFLICT));

        second.aborts();
        first.commits();
    }

    /** How a tenure can end. */
    enum End {
        VACATED,
        EXPIRED_BY_FORCE,
        TAKEN_BY_ANOTHER,
        TAKEN_BY_THE_SAME,
        REMOVED;

        LeaseWrite by(ContractWriter writer) {
            return switch (this) {
                case VACATED -> striped(writer.vacate("x"), STRIPES);
                case EXPIRED_BY_FORCE -> striped(writer.expireByForce("x"), STRIPES);
                case TAKEN_BY_ANOTHER -> striped(writer.take("x", "h2"), STRIPES);
                case TAKEN_BY_THE_SAME -> striped(writer.take("x", "h"), STRIPES);
                case REMOVED -> striped(writer.remove("x"), STRIPES);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("AS-13: the assertion of a tenure that ended fails on every stripe")
    void theEndOfATenureEndsItOnEveryStripe(End end) {
        ContractWriter a = writerOfX();

        a.commits(end.by(a));

        assertThat(passes(tenure("x"), STRIPES)).isZero();
        if (stored("x") instanceof StoredLease.Sound sound && sound.document().holder() != null) {
            LeaseDocument next = sound.document();
            assertThat(passes(tenure(next.holder(), next.token()), STRIPES)).isEqualTo(STRIPES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whileATransactionHasAssertedOnAnyStripeNoWriterEndsTheTenure(End end) {
        ContractWriter a = writerOfX();
        Callers callers = callers(tenure("x"), STRIPES);
        assertThat(callers.pass()).isEqualTo(STRIPES);

        for (Caller caller : callers.callers()) {
            assertThat(a.commit(end.by(a)).verdict()).as("at once").isEqualTo(Verdict.CONFLICT);
            assertThat(a.commitApart(end.by(a)).verdict()).isEqualTo(Verdict.LEASE_CONFLICT);
            caller.commits();
        }
        a.commits(end.by(a));
        assertThat(passes(tenure("x"), STRIPES)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aTenureThatEndsBesideAnOlderSnapshotIsAConflictOnEveryStripe(End end) {
        ContractWriter a = writerOfX();
        Callers callers = callers(tenure("x"), STRIPES);
        callers.callers().forEach(caller -> assertThat(caller.readsToken("x")).isEqualTo(1));

        a.commits(end.by(a));

        for (Caller caller : callers.callers()) {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> caller.asserts(callers.assertion()))
                    .satisfies(e -> assertThat(e.getCode()).isEqualTo(WRITE_CONFLICT));
        }
        callers.end();
    }

    @ParameterizedTest
    @EnumSource
    void aGuardThatMissesLeavesTheStripesAsTheyWere(End end) {
        ContractWriter a = writerOfX();
        LeaseWrite late = end.by(a);
        LeaseWrite.Replace extension = a.extend("x");
        a.commits(new LeaseWrite.Replace(
                extension.guard(), striped(extension, STRIPES).document(), extension.unlessPinned()));

        assertThat(a.commit(late)).isEqualTo(WriteOutcome.MISSED);

        assertThat(passes(tenure("x"), STRIPES)).isEqualTo(STRIPES);
    }

    @Test
    void aFirstDocumentThatIsThereAlreadyLeavesItsStripesAsTheyWere() {
        ContractWriter a = writerOfX();

        assertThat(a.commit(a.insert("x", STRIPES))).isEqualTo(WriteOutcome.MISSED);

        assertThat(passes(tenure("x"), STRIPES)).isEqualTo(STRIPES);
    }

    @Test
    void theNextTenureMayHaveMoreStripes() {
        ContractWriter a = writerOfX();

        a.commits(striped(a.take("x", "h2"), STRIPES + 1));

        assertThat(lease("x").stripes()).isEqualTo(STRIPES + 1);
        assertThat(passes(tenure("h2", 2), STRIPES + 1)).isEqualTo(STRIPES + 1);
        assertThat(passes(tenure("x"), STRIPES + 1)).isZero();
    }

    @Test
    void aLeaseGetsItsFirstStripesWithItsNextTenure() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        assertThat(passes(tenure("x"), 1)).isZero();

        a.commits(striped(a.take("x", "h"), STRIPES));

        assertThat(passes(tenure("h", 2), STRIPES)).isEqualTo(STRIPES);
    }

    @Test
    void removedWithItsStripesANameBeginsAnew() {
        ContractWriter a = writerOfX();
        a.commits(striped(a.vacate("x"), STRIPES)).commits(striped(a.remove("x"), STRIPES));

        a.commits(a.insert("x", 1));

        assertThat(lease("x").stripes()).isOne();
        assertThat(passes(tenure("x"), STRIPES)).isOne();
    }

    @Test
    void pagesAndReadsShowNoStripes() {
        ContractWriter a = writerOfX();

        assertThat(a.store().page(null, 9, "a").snapshot().leases())
                .extracting(StoredLease::name)
                .containsExactly("x");
        assertThat(isThere("1#x")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, STRIPES})
    void withoutATransactionTheyAreNotWritten(int stripes) {
        ContractWriter a = writerOfX();
        LeaseWrite.Replace write = striped(a.vacate("x"), stripes);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.store().writeLeases("a", List.of(write)))
                .withMessageContaining("'x'")
                .withMessageContaining(stripes + " gate stripes");
        assertThat(passes(tenure("x"), STRIPES)).isEqualTo(STRIPES);
    }
}
