package dev.leasehold.bench.row;

import dev.leasehold.bench.adapters.Library;
import java.util.List;

/** All rows. */
public final class Rows {

    private static final int SOME_CALLERS = 64;
    private static final int MANY_CALLERS = 512;
    private static final int PROCESSES = 16;
    private static final int THREADS = 16;

    private Rows() {}

    /** {@return all that are measured, in the order of the table} */
    public static List<Row> all() {
        return List.of(
                OneProcess.uncontended(),
                OneProcess.contention(SOME_CALLERS),
                OneProcess.contention(MANY_CALLERS),
                ManyProcesses.ofOne(),
                ManyProcesses.withSessions(PROCESSES),
                ManyProcesses.withTerms(PROCESSES),
                OneProcess.onOneLease(THREADS),
                ManyProcesses.onOneLease(PROCESSES),
                new Renewal(),
                new HandOver(),
                new Kill(),
                new Freeze(),
                new Gate(1),
                new Gate(THREADS),
                new Once(),
                Growth.ofLeases(),
                Growth.ofWriters(Library.SESSION),
                Growth.ofWriters(Library.TERM),
                new Start());
    }

    /** {@return those whose name is this, or begins with it and a hyphen; none if there is no such row} */
    public static List<Row> named(String name) {
        return all().stream()
                .filter(row -> row.heading().name().equals(name)
                        || row.heading().name().startsWith(name + "-"))
                .toList();
    }
}
