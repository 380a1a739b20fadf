package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Marks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of the end of another engine's transaction: which engine had opened it, and for how long it had rested when it was looked at. */
class EndedTransactionsTest {

    private static final long LATER_NANOS = 100 * StoreWorld.MILLISECOND;

    private final StoreWorld stage = new StoreWorld();

    private List<Event.Rest> rests() {
        return stage.events(Event.Reached.class).stream()
                .filter(reached -> reached.mark().equals(Marks.RESCUED))
                .map(Event.Reached::rest)
                .toList();
    }

    private static void ends(ContractWriter ending, ContractWriter other) {
        ending.store().endTransactions(List.of(other.store().driverSession()));
    }

    @Test
    void engineThatHasRegisteredUnheardIsKnownByItsNewestName() {
        stage.play(() -> {
            ContractWriter newest = stage.writer("m0#0i0n10");
            for (String unheard : List.of("m0#0i0n1", "m0#0i0n2")) {
                ContractWriter earlier = new ContractWriter(newest.store(), unheard);
                earlier.writes(earlier.registration(Fixture.MINUTE));
            }
            ContractWriter b = stage.writer("b");

            newest.commitAfter(
                    () -> {
                        b.store().idleTransactions();
                        ends(b, newest);
                    },
                    newest.insert("x"));

            assertThat(rests()).extracting(Event.Rest::writer).containsExactly("m0#0i0n10");
        });
    }

    /** Lists, and then, in the middle of another one's transaction, ends that. */
    private void endsWhatHasBegunSince(Runnable beforeTheList, Runnable afterTheBeginning) {
        ContractWriter a = stage.writer("m0#0i0n0");
        ContractWriter b = stage.writer("b");
        beforeTheList.run();
        b.store().idleTransactions();
        a.commitAfter(
                () -> {
                    afterTheBeginning.run();
                    ends(b, a);
                },
                a.insert("x"));
    }

    @Test
    void theRestOfWhatHasGoneOnSinceItWasListedIsNotKnown() {
        stage.play(() -> {
            endsWhatHasBegunSince(() -> {}, () -> {});

            assertThat(rests()).containsExactly((Event.Rest) null);
        });
    }

    @Test
    void aListThatIsMadeAgainIsNotRead() {
        stage.play(() -> {
            endsWhatHasBegunSince(
                    () -> stage.befall(MessageFault.Kind.REPEAT, LATER_NANOS), () -> stage.pass(2 * LATER_NANOS));

            assertThat(rests()).containsExactly((Event.Rest) null);
        });
    }

    @Test
    void anEndThatComesLateRestsOnTheListFromBefore() {
        stage.play(() -> {
            ContractWriter a = stage.writer("m0#0i0n0");
            ContractWriter b = stage.writer("b");
            b.store().idleTransactions();
            stage.befall(MessageFault.Kind.DELAY_REQUEST, 2 * StoreWorld.PATIENCE_NANOS);
            assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> ends(b, a));
            a.commitAfter(
                    () -> {
                        b.store().idleTransactions();
                        stage.pass(StoreWorld.PATIENCE_NANOS);
                    },
                    a.insert("x"));

            assertThat(rests()).containsExactly((Event.Rest) null);
        });
    }
}
