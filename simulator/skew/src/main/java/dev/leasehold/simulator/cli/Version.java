package dev.leasehold.simulator.cli;

import picocli.CommandLine.IVersionProvider;

/** Which simulator this is. */
final class Version implements IVersionProvider {

    /** Name, version and JVM, in a line. */
    static String line() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "leasehold-simulator " + (version == null ? "of a working tree" : version) + ", Java "
                + Runtime.version();
    }

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }
}
