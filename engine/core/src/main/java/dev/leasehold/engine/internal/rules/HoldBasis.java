package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.time.Validity;

/** What lets a holder believe that it holds. */
public sealed interface HoldBasis {

    /** A term of its own. */
    record Term(Validity validity) implements HoldBasis {}

    /** The session of the writer, which renews all its leases at once. */
    record Session() implements HoldBasis {}
}
