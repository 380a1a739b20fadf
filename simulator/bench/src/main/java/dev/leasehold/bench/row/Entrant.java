package dev.leasehold.bench.row;

import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import java.time.Duration;

/** What takes turns with others in the rounds of a row. Used by one thread. */
public interface Entrant {

    /** {@return its name in the table} */
    String name();

    /** {@return on whose side it is} */
    Role role();

    /** {@return what to know about its figures; empty for nothing} */
    String remark();

    /**
     * Works for a while, so that what is measured later is not the start of a JVM.
     *
     * @throws Exception if it fails; it then takes no further part
     */
    void warmUp(Duration duration) throws Exception;

    /**
     * Works, and is measured.
     *
     * @return what it did
     * @throws Exception if it fails; it then takes no further part
     */
    Sample measure(Duration duration) throws Exception;
}
