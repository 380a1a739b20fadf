package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseState;
import java.util.List;

/**
 * How some leases stood when they were looked at.
 *
 * @param states one for each name
 * @param nextNanos on the engine's clock, when a look at them will probably show a renewal by the session of another; the end of
 *     time if no such session keeps any of them
 */
public record PollResult(List<LeaseState> states, long nextNanos) {}
