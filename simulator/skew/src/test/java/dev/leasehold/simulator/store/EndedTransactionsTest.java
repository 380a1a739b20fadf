package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Marks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of the end of another engine's transaction: whose it was, and for how long it had rested when it was looked at. */
class EndedTransactionsTest {

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
    void whoHasRegisteredUnheardIsKnownByItsNewestName() {
        stage.play(() -> {
            ContractWriter newest = stage.writer("m0#0i0n10");
            for (String unheard : List.of("m0#0i0n1", "m0#0i0n2")) {
                ContractWriter earlier = new ContractWriter(newest.store(), unheard);
                earlier.writes(earlier.registration(Fixture.MINUTE));
            }
            ContractWriter b = stage.writer("b");

            newest.commitAfter(() -> {
                b.store().idleTransactions();
                ends(b, newest);
            }, newest.insert("x"));

            assertThat(rests()).extracting(Event.Rest::writer).containsExactly("m0#0i0n10");
        });
    }
}
