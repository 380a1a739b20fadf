package dev.leasehold.simulator.plan;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.leasehold.simulator.conditions.MessageFault;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is done in a history. It begins at its instant whatever came before, so that removing another command does not
 * disturb it.
 *
 * @param atNanos when
 * @param machine on which machine, or to which; ignored by what is done to the database
 * @param seed what is drawn on its behalf comes from here: from when it begins, all draws of its machine do, until the next command
 * @param fault a fault of a message that its machine sends soon after; null for none
 * @param action what is done
 */
public record Command(
        long atNanos,
        int machine,
        long seed,
        // Plans that were kept before have it under another name.
        @JsonAlias("fate") @Nullable MessageFault fault,
        Action action) {

    /** The same with another value of one component. */
    Command with(String component, Object value) {
        return Components.with(this, component, value);
    }
}
