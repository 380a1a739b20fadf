package dev.leasehold.bench.row;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.measure.Role;
import java.util.Locale;

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

    /** A namespace of its own, also in every other row. */
    final String namespace(String row) {
        return row + "-" + library.name().toLowerCase(Locale.ROOT);
    }
}
