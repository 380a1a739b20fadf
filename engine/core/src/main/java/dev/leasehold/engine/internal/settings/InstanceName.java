package dev.leasehold.engine.internal.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The default instance name of an engine: host name and process id. */
public final class InstanceName {

    private static final int LENGTH_MAX = 64;

    private InstanceName() {}

    public static String ofThisProcess() {
        return of(hostName(), ProcessHandle.current().pid());
    }

    /** Keeps the whole process id, and of the host name the allowed characters that fit. */
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
