package dev.leasehold.engine.internal.bootstrap;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What an engine is called when nobody said: host name and process id. */
public final class InstanceName {

    private static final int LENGTH_MAX = 64;

    private InstanceName() {}

    public static String ofThisProcess() {
        return of(hostName(), ProcessHandle.current().pid());
    }

    /** Keeps the process id whole, and of the host name what fits and is allowed. */
    static String of(String hostName, long pid) {
        String suffix = ":" + pid;
        String host = hostName.replaceAll("[^A-Za-z0-9._-]", "-");
        return host.substring(0, Math.min(host.length(), LENGTH_MAX - suffix.length())) + suffix;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
