package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.byOther;
import static dev.leasehold.engine.internal.commit.SteppedPartition.granted;
import static dev.leasehold.engine.internal.commit.SteppedPartition.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an engine remembers of a tenure goes when it ends the tenure. */
class LeftoversTest {

    private final SteppedPartition a = new SteppedPartition();
    private final ValidityTracker validities = a.partition.validities();

    private Tenure does(Request request) {
        return granted(a.submitAndRun(request));
    }

    /** It is found to have landed when it is committed again. */
    private void extendUnheard(Tenure tenure) {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> WriteOutcome.APPLIED);
        a.submitAndRun(new Request.Extend(tenure, 90 * SECOND));
    }

    /** A read shows that another engine has begun the next tenure meanwhile. */
    private void showNextOf(String holder) {
        a.store.put(byOther("one", holder, 2, a.nowNanos()));
        a.partition.reads().poll(Set.of("one"), a.nowNanos() + SECOND);
        a.runtime.runDue();
    }

    @Test
    void ofThoseThatAskedForItsEndAndWereNeverAnswered() {
        Tenure tenure = a.claims("one", "h");
        validities.callerReleases(tenure);
        assertThat(validities.rememberedCount()).isOne();

        does(new Request.Release(tenure));

        assertThat(validities.rememberedCount()).isZero();
        assertThat(validities.isValid(tenure)).isFalse();
        validities.callerAnswered(tenure);
        assertThat(validities.rememberedCount()).isZero();
    }

    @Test
    void validityThatAnExtensionBroughtBackUnseenStaysUnseen() {
        Tenure tenure = a.claims("one", "h");
        validities.callerReleases(tenure);
        does(new Request.Extend(tenure, 90 * SECOND));

        does(new Request.Release(tenure));

        assertThat(validities.isValid(tenure)).isFalse();
    }

    @Test
    void ofThoseThatAskedForItsEndAndWhoseReleaseWasFoundToHaveLanded() {
        Tenure tenure = a.claims("one", "h");
        validities.callerReleases(tenure);
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> WriteOutcome.APPLIED);

        PendingOperation release = a.submit(new Request.Release(tenure));
        a.runtime.runFor(SECOND);

        assertThat(granted(release)).isEqualTo(tenure);
        assertThat(validities.rememberedCount()).isZero();
    }

    @Test
    void endsOfALaterTenureAreAskedForYetWhenAnOlderWriteIsFoundToHaveLanded() {
        Tenure first = a.claims("one", "h");
        extendUnheard(first);
        showNextOf("h");
        validities.callerReleases(new Tenure(first.namespace(), "one", "h", 2));

        a.runtime.runFor(SECOND);

        assertThat(a.partition.health().outcomeUnknown()).isFalse();
        assertThat(validities.rememberedCount()).isOne();
    }

    @Test
    void validityThatAnExtensionBringsBackWhenItIsFoundToHaveLandedStaysUnseen() {
        Tenure tenure = a.claims("one", "h");
        extendUnheard(tenure);
        validities.callerReleases(tenure);
        showNextOf("h2");
        assertThat(a.partition.health().outcomeUnknown()).isTrue();

        a.runtime.runFor(SECOND);

        assertThat(a.partition.health().outcomeUnknown()).isFalse();
        assertThat(validities.isValid(tenure)).isFalse();
    }

    @Test
    void ofFailedReleasesWhenAReadShowsTheNextTenure() {
        Tenure tenure = a.claims("one", "h");
        validities.callerReleases(tenure);
        a.partition.reads().page(null, a.nowNanos() + SECOND);
        a.runtime.runDue();
        assertThat(validities.rememberedCount()).as("the tenure is not over").isOne();

        a.store.put(byOther("one", "h2", 2, a.nowNanos()));
        a.partition.reads().page(null, a.nowNanos() + SECOND);
        a.runtime.runDue();

        assertThat(validities.rememberedCount()).isZero();
        assertThat(validities.isValid(tenure)).isFalse();
    }

    @Test
    void ofAnEndThatCameToNothing() {
        a.store.put(byOther("one", "h", 1, a.nowNanos()));
        a.store.onCommit((transaction, mayCommit) -> {
            a.store.put(byOther("one", "h2", 2, a.nowNanos()));
            return WriteOutcome.MISSED;
        });
        PendingOperation release = a.submit(new Request.Release(new Tenure("billing", "one", "h", 1)));
        a.runtime.runFor(SECOND);

        assertThat(refused(release).reason()).isEqualTo(Refusal.Reason.NOT_THAT_TENURE);
        assertThat(validities.rememberedCount()).isZero();
    }

    @Test
    void ofThoseThatAskedForItsEndWhichIsFoundToHaveCome() {
        Tenure tenure = a.claims("one", "h");
        validities.callerReleases(tenure);
        a.store.put(byOther("one", "h2", 2, a.nowNanos()));
        a.submit(new Request.Extend(tenure, 90 * SECOND));
        a.runtime.runFor(SECOND);

        assertThat(validities.rememberedCount()).isZero();
    }
}
