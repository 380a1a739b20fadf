package dev.leasehold.bench.row;

import dev.leasehold.bench.contest.Library;
import dev.leasehold.bench.measure.Role;

/** An entrant under the name of a library. */
abstract class LibraryEntrant implements Entrant {

    private final Library library;

    LibraryEntrant(Library library) {
        this.library = library;
    }

    @Override
    public final String name() {
        return library.title();
    }

    @Override
    public final Role role() {
        return library.role();
    }

    @Override
    public final String remark() {
        return library.remark();
    }
}
