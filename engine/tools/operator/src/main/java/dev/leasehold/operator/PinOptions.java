package dev.leasehold.operator;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which lease is pinned, and by which entity. */
final class PinOptions {

    @Parameters(paramLabel = "NAME", description = "The lease.")
    private String name = "";

    @Option(
            names = "--by",
            paramLabel = "ENTITY",
            description =
                    "The entity that pins it, which is shown with each refusal; by default the user's name on this machine.")
    private String entity = System.getProperty("user.name", "operator");

    String name() {
        return name;
    }

    String entity() {
        return entity;
    }
}
