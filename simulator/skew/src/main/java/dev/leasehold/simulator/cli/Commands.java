package dev.leasehold.simulator.cli;

/** How this program is called. */
final class Commands {

    static final String JAR = "java -jar leasehold-simulator.jar";

    private Commands() {}
}
