package dev.leasehold.operator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The arguments of this process. The JVM reads them in the encoding of the locale, and replaces what that does not have. A job of cron has
 * another locale than a terminal: the same line would name another lease, and hand other arguments to a command.
 */
final class ProcessArguments {

    /** Where Linux shows them as they were given, each with a zero behind it. Other systems have one encoding for all. */
    private static final Path GIVEN = Path.of("/proc/self/cmdline");

    private ProcessArguments() {}

    /** The encoding in which they were read. */
    static Charset encoding() {
        return Charset.forName(System.getProperty("sun.jnu.encoding"));
    }

    /** Whether none of their characters was replaced. */
    static boolean areAsGiven(String... read) {
        if (Arrays.stream(read).allMatch(argument -> argument.chars().allMatch(character -> character < 0x80))) {
            return true;
        }
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (String argument : read) {
            expected.writeBytes(argument.getBytes(encoding()));
            expected.write(0);
        }
        try {
            byte[] given = Files.readAllBytes(GIVEN);
            byte[] end = Arrays.copyOfRange(given, Math.max(0, given.length - expected.size()), given.length);
            return Arrays.equals(end, expected.toByteArray());
        } catch (IOException e) {
            return true;
        }
    }
}
