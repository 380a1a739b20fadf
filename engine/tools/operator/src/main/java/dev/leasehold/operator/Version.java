package dev.leasehold.operator;

import picocli.CommandLine.IVersionProvider;

/** Which tool this is. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "leasehold " + (version == null ? "of a working tree" : version) + ", Java " + Runtime.version()
        };
    }
}
