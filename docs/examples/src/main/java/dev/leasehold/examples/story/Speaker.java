package dev.leasehold.examples.story;

import java.time.Instant;

/** A process of which a story tells. */
public interface Speaker {

    /** {@return what it is called, in a few characters} */
    String name();

    /** {@return what its own clock shows} */
    Instant now();
}
