package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.List;

/**
 * What happened when a plan was played.
 *
 * @param plan what was played
 * @param events in the order in which they happened
 * @param clocks of each machine, as they ran
 * @param steps how many steps the world made
 */
public record History(Plan plan, List<Event> events, List<MachineClock> clocks, long steps) {}
