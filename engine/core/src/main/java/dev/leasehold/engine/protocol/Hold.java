package dev.leasehold.engine.protocol;

import dev.leasehold.engine.time.Belief;

/** What lets a holder believe that it holds. */
public sealed interface Hold {

    /** A term of its own. */
    record Term(Belief belief) implements Hold {}

    /** The session of the writer, which renews all its leases at once. */
    record Session() implements Hold {}
}
