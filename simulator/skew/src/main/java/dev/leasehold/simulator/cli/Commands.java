package dev.leasehold.simulator.cli;

/** How this program is called. */
final class Commands {

    private static final String FILE = "leasehold-simulator.jar";

    static final String JAR = calledBy(System.getProperty("java.class.path", ""));

    private Commands() {}

    /** With the path that was typed, so that what is printed can be pasted. Elsewhere, as in tests, there is no such path. */
    static String calledBy(String classPath) {
        return "java -jar " + (classPath.endsWith(FILE) && classPath.indexOf(' ') < 0 ? classPath : FILE);
    }
}
