package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.time.Validity;
import org.jspecify.annotations.Nullable;

/**
 * What an engine remembers of the tenure under which it sees a lease held.
 *
 * @param validity what it believes of it; null for nothing
 * @param over whether the tenure is over for its holder in this engine, given up or lost for good, although the database still
 *     shows it: its holder may begin another, but never has this one back
 */
public record LocalKnowledge(@Nullable Validity validity, boolean over) {

    /** Of what it has nothing to do with. */
    public static final LocalKnowledge NOTHING = new LocalKnowledge(null, false);
}
