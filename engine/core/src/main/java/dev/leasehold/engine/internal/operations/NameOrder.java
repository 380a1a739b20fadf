package dev.leasehold.engine.internal.operations;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** The order of names in the database, which differs from that of strings for surrogates. */
final class NameOrder {

    static final Comparator<String> AS_STORED =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private NameOrder() {}
}
