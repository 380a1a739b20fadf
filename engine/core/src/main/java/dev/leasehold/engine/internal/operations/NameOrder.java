package dev.leasehold.engine.internal.operations;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** The order of names in the database, which is another than that of strings where there are surrogates. */
final class NameOrder {

    static final Comparator<String> AS_STORED =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private NameOrder() {}
}
