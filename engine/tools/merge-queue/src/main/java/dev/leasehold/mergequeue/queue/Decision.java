package dev.leasehold.mergequeue.queue;

import java.util.List;

/**
 * What follows from an event.
 *
 * @param state the next state
 * @param answer what the caller is told, once the state is stored
 * @param ended the holds that ended with it, oldest first
 * @param waits the waits that ended with it, oldest first
 */
public record Decision(QueueState state, QueueAnswer answer, List<EndedHold> ended, List<EndedWait> waits) {}
