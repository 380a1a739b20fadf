package dev.leasehold.bench.cli;

import picocli.CommandLine.IVersionProvider;

/** Which benchmark this is. */
final class Version implements IVersionProvider {

    /** Name, version and JVM, in a line. */
    static String line() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "leasehold-bench " + (version == null ? "of a working tree" : version) + ", Java " + Runtime.version();
    }

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }
}
