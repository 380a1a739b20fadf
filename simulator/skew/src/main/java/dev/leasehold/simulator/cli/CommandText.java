package dev.leasehold.simulator.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Command lines that can be pasted into a shell. */
final class CommandText {

    private static final String FILE = "leasehold-simulator.jar";
    private static final String NOT_IN_A_WORD = " \t'\"\\$`&;|<>()*?[]{}!#~";

    /** This program, by the path that was typed. */
    static final String JAR = calledBy(System.getProperty("java.class.path", ""));

    private CommandText() {}

    static String calledBy(String classPath) {
        return "java -jar " + (classPath.endsWith(FILE) ? quoted(classPath) : FILE);
    }

    /** The command that was given, with its arguments and those options that are not to be left out. */
    static String again(CommandSpec spec, String more, String... leftOut) {
        ParseResult given = spec.commandLine().getParseResult();
        Stream<String> positionals = given.matchedPositionals().stream().map(CommandText::values);
        Stream<String> options = given.matchedOptions().stream()
                .filter(option -> !List.of(leftOut).contains(option.longestName()))
                .map(CommandText::text);
        return JAR
                + ' '
                + spec.name()
                + more
                + Stream.concat(positionals, options).collect(Collectors.joining());
    }

    private static String text(OptionSpec option) {
        String name = ' ' + option.longestName();
        return option.originalStringValues().isEmpty() ? "" : option.arity().max() == 0 ? name : name + values(option);
    }

    private static String values(ArgSpec argument) {
        return argument.originalStringValues().stream()
                .map(value -> ' ' + quoted(value))
                .collect(Collectors.joining());
    }

    static String quoted(Path path) {
        return quoted(path.toString());
    }

    /** As a shell takes it for one word. */
    private static String quoted(String text) {
        return text.chars().noneMatch(letter -> NOT_IN_A_WORD.indexOf(letter) >= 0)
                ? text
                : "'" + text.replace("'", "'\\''") + "'";
    }
}
