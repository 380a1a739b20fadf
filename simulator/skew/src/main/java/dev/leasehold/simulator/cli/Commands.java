package dev.leasehold.simulator.cli;

import java.nio.file.Path;

/** How this program is called. */
final class Commands {

    private static final String FILE = "leasehold-simulator.jar";
    private static final String NOT_IN_A_WORD = " \t'\"\\$`&;|<>()*?[]{}!#~";

    static final String JAR = calledBy(System.getProperty("java.class.path", ""));

    private Commands() {}

    /** With the path that was typed, so that what is printed can be pasted. Elsewhere, as in tests, there is no such path. */
    static String calledBy(String classPath) {
        return "java -jar " + (classPath.endsWith(FILE) ? quoted(Path.of(classPath)) : FILE);
    }

    /** A path as a shell takes it for one word. */
    static String quoted(Path path) {
        String text = path.toString();
        return text.chars().noneMatch(letter -> NOT_IN_A_WORD.indexOf(letter) >= 0)
                ? text
                : "'" + text.replace("'", "'\\''") + "'";
    }
}
