package dev.leasehold.operator;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which lease is pinned, and for whom. */
final class PinOptions {

    @Parameters(paramLabel = "NAME", description = "The lease.")
    private String name = "";

    @Option(
            names = "--by",
            paramLabel = "ENTITY",
            description = "Who pins it, and is shown to who is refused; by default the user's name on this machine.")
    private String entity = System.getProperty("user.name", "operator");

    String name() {
        return name;
    }

    String entity() {
        return entity;
    }
}
