package dev.leasehold.bench.row;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import java.time.Duration;

/** What takes turns with others in the rounds of a row. Used by one thread. */
abstract class Entrant {

    private final String name;
    private final Role role;
    private final String remark;

    /**
     * An entrant under a name of its own.
     *
     * @param name in the table
     * @param role on whose side it is
     * @param remark what to know about its figures; empty for nothing
     */
    Entrant(String name, Role role, String remark) {
        this.name = name;
        this.role = role;
        this.remark = remark;
    }

    /** An entrant under the name of a library. */
    Entrant(Library library) {
        this(library.title(), library.role(), library.remark());
    }

    final String name() {
        return name;
    }

    final Role role() {
        return role;
    }

    final String remark() {
        return remark;
    }

    /**
     * Works for a while, so that what is measured later is not the start of a JVM.
     *
     * @throws Exception if it fails; it then takes no further part
     */
    abstract void warmUp(Duration duration) throws Exception;

    /**
     * Works, and is measured.
     *
     * @return what it did
     * @throws Exception if it fails; it then takes no further part
     */
    abstract Sample measure(Duration duration) throws Exception;
}
