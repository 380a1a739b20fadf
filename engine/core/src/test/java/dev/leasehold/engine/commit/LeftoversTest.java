package dev.leasehold.engine.commit;

import static dev.leasehold.engine.commit.HandEngine.SECOND;
import static dev.leasehold.engine.commit.HandEngine.byOther;
import static dev.leasehold.engine.commit.HandEngine.granted;
import static dev.leasehold.engine.commit.HandEngine.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.store.WriteOutcome;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an engine remembers of a tenure goes when it ends the tenure. */
class LeftoversTest {

    private final HandEngine a = new HandEngine();
    private final Beliefs beliefs = a.path.beliefs();

    private Tenure does(Request request) {
        PendingOperation operation = a.submit(request);
        a.runtime.runDue();
        return granted(operation);
    }

    @Test
    void ofThoseWhoAskedForItsEndAndWereNeverAnswered() {
        Tenure tenure = a.claims("one", "h");
        beliefs.callerGivesUp(tenure);
        assertThat(beliefs.traces()).isOne();

        does(new Request.Release(tenure));

        assertThat(beliefs.traces()).isZero();
        assertThat(beliefs.holds(tenure)).isFalse();
        beliefs.callerIsAnswered(tenure);
        assertThat(beliefs.traces()).isZero();
    }

    @Test
    void beliefThatAnExtensionBroughtBackUnseenStaysUnseen() {
        Tenure tenure = a.claims("one", "h");
        beliefs.callerGivesUp(tenure);
        does(new Request.Extend(tenure, 90 * SECOND));

        does(new Request.Release(tenure));

        assertThat(beliefs.holds(tenure)).isFalse();
    }

    @Test
    void ofThoseWhoAskedForItsEndAndWhoseReleaseWasFoundToHaveLanded() {
        Tenure tenure = a.claims("one", "h");
        beliefs.callerGivesUp(tenure);
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> WriteOutcome.APPLIED);

        PendingOperation release = a.submit(new Request.Release(tenure));
        a.runtime.runFor(SECOND);

        assertThat(granted(release)).isEqualTo(tenure);
        assertThat(beliefs.traces()).isZero();
    }

    @Test
    void endsOfALaterTenureAreAskedForYetWhenAnOlderWriteIsFoundToHaveLanded() {
        Tenure first = a.claims("one", "h");
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> WriteOutcome.APPLIED);
        a.submit(new Request.Extend(first, 90 * SECOND));
        a.runtime.runDue();
        a.store.put(byOther("one", "h", 2, a.nowNanos()));
        a.path.reads().refresh(Set.of("one"), a.nowNanos() + SECOND);
        a.runtime.runDue();
        beliefs.callerGivesUp(new Tenure(first.namespace(), "one", "h", 2));

        a.runtime.runFor(SECOND);

        assertThat(a.path.isInDoubt()).isFalse();
        assertThat(beliefs.traces()).isOne();
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
        assertThat(beliefs.traces()).isZero();
    }

    @Test
    void ofThoseWhoAskedForItsEndWhichIsFoundToHaveCome() {
        Tenure tenure = a.claims("one", "h");
        beliefs.callerGivesUp(tenure);
        a.store.put(byOther("one", "h2", 2, a.nowNanos()));
        a.submit(new Request.Extend(tenure, 90 * SECOND));
        a.runtime.runFor(SECOND);

        assertThat(beliefs.traces()).isZero();
    }
}
