package dev.leasehold.bench.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line of a program on the class path of this JVM, run by the same Java. */
public final class JavaCommand {

    private JavaCommand() {}

    /** The command that runs a main class. */
    public static List<String> of(List<String> options, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", absolute(System.getProperty("java.class.path")), mainClass));
        command.addAll(arguments);
        return command;
    }

    /** The same class path in any folder: a server runs in one of its own. */
    static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
