package dev.leasehold.mergequeue.replica;

import java.net.URI;

/** Where a provider is served. */
sealed interface Route {

    /**
     * By this replica.
     *
     * @param queue takes the events
     */
    record Here(ProviderQueue queue) implements Route {}

    /**
     * By another replica, as far as is known.
     *
     * @param address of that
     */
    record Elsewhere(URI address) implements Route {}

    /** By none at the moment. */
    record Nowhere() implements Route {}
}
