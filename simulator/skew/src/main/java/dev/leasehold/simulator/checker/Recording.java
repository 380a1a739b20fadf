package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.List;

/**
 * All that the checker is told of a history. The simulator knows the instant of everything. A recorder of real processes knows spans, and
 * gives each thing an instant in its span that fits to all the others, where there is one; a call lasts from before it to after its answer.
 *
 * @param conditions under which it took place
 * @param clocks of each machine, as they ran
 * @param events in the order in which they happened
 * @param names whose writers are whose
 */
public record Recording(Conditions conditions, List<MachineClock> clocks, List<Event> events, WriterNames names) {

    /** Tells the writers of engines apart. */
    public interface WriterNames {

        /** Whether a name, or what it begins with, is that of a writer of an engine. */
        boolean isOf(String name, int machine, int incarnation);
    }
}
