package dev.leasehold.bench.cli;

import dev.leasehold.bench.row.Rows;
import java.util.Iterator;

/** The names by which rows are asked for. */
final class RowNames implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
        return Rows.all().stream().map(row -> row.heading().name()).iterator();
    }
}
