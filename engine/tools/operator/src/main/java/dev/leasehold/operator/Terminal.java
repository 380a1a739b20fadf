package dev.leasehold.operator;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** Where the user may be asked back. */
interface Terminal {

    /** Whether a person is there to answer. */
    boolean isInteractive();

    /** The answer in a line; null where the input has ended. */
    @Nullable String ask(String question);

    /** That of this process. */
    static Terminal ofThisProcess() {
        Console console = System.console();
        boolean interactive = console != null && isTerminal(console);
        return new Terminal() {
            @Override
            public boolean isInteractive() {
                return interactive;
            }

            @Override
            public @Nullable String ask(String question) {
                return console == null ? null : console.readLine("%s", question);
            }
        };
    }

    /** From 22 on there may be a console without a terminal; before, there is none. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("the console does not say whether it is a terminal", e);
        }
    }
}
