package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseState;
import java.util.List;

/**
 * The states of polled leases.
 *
 * @param states one for each name
 * @param nextNanos on the engine's clock, when a poll will probably show a renewal by the session of another engine;
 *     {@link Long#MAX_VALUE} if none of them is kept by such a session
 */
public record PollResult(List<LeaseState> states, long nextNanos) {}
