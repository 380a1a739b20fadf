package dev.leasehold.replicaset;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Looks at server processes from outside. */
final class Mongods {

    private Mongods() {}

    /** The servers that a JVM has as its children. */
    static List<ProcessHandle> of(ProcessHandle jvm) {
        return jvm.children()
                .filter(child -> arguments(child).contains("--dbpath"))
                .toList();
    }

    static ProcessHandle of(ProcessHandle jvm, Node node) {
        String port = node.address().substring(node.address().indexOf(':') + 1);
        return of(jvm).stream()
                .filter(child -> arguments(child).contains(port))
                .findFirst()
                .orElseThrow();
    }

    /** False also for the entry that stays of a process whose end was not collected yet. */
    static boolean isRunning(ProcessHandle mongod) {
        return mongod.isAlive() && arguments(mongod).contains("--dbpath");
    }

    static Path dataFolder(ProcessHandle mongod) {
        List<String> arguments = arguments(mongod);
        return Path.of(arguments.get(arguments.indexOf("--dbpath") + 1));
    }

    private static List<String> arguments(ProcessHandle process) {
        return process.info().arguments().map(Arrays::asList).orElse(List.of());
    }
}
