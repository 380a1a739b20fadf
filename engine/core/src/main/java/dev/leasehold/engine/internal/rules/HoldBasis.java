package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.time.Validity;

/** What bounds the validity of a held lease. */
public sealed interface HoldBasis {

    record Term(Validity validity) implements HoldBasis {}

    /** The session of the writer, which renews all its leases at once. */
    record Session() implements HoldBasis {}
}
