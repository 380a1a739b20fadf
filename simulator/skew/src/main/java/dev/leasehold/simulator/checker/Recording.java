package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.List;

/**
 * All that the checker is told of a history.
 *
 * @param conditions under which it took place
 * @param clocks of each machine, as they ran
 * @param events in the order in which they happened
 */
public record Recording(Conditions conditions, List<MachineClock> clocks, List<Event> events) {}
