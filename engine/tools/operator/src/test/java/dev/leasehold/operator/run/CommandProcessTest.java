package dev.leasehold.operator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.operator.run.CommandProcess.KillAnswer;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandProcessTest {

    @ParameterizedTest
    @CsvSource({
        "0, '', false",
        "1, sh: 1: kill: No such process, true",
        "1, 'sh: line 0: kill: (-4711) - No such process', true",
        "1, 'sh: can''t kill pid -4711: No such process', true",
        "1, sh: 1: kill: Operation not permitted, false",
        "127, sh: 1: kill: not found, false",
        "2, sh: 0: Cannot fork, false",
        "137, '', false",
    })
    @DisplayName("A command is gone when kill finds none of its processes, and not when kill fails otherwise")
    void goneIsWhatIsNotFound(int exitCode, String output, boolean isGone) {
        assertThat(new KillAnswer(exitCode, output).saysNoSuchProcess()).isEqualTo(isGone);
    }

    @Test
    @DisplayName("A command is gone when the last of its processes is, and not when the first one is")
    void lastProcessCounts(@TempDir Path folder) throws Exception {
        Path open = Files.createFile(folder.resolve("open"));
        CommandProcess command = CommandProcess.start(
                List.of("sh", "-c", "while [ -e '" + open + "' ]; do sleep 0.1; done &"),
                Map.of(),
                folder.resolve("pid"));
        while (!command.hasEnded()) {
            assertThat(command.awaitGone(10)).isFalse();
        }
        assertThat(command.awaitGone(10)).isFalse();

        Files.delete(open);

        while (!command.awaitGone(10)) {
            Thread.onSpinWait();
        }
        assertThat(command.exitCode()).isZero();
    }

    /** A process of its own that starts a command, with what stands behind the file for its number. */
    static final class Starter {

        private Starter() {}

        public static void main(String[] arguments) throws Exception {
            List<String> command = List.of(arguments).subList(1, arguments.length);
            CommandProcess process = CommandProcess.start(command, Map.of(), Path.of(arguments[0]));
            while (!process.awaitGone(10)) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'exec \"$@\" <&-', 0", "'exec \"$@\" </dev/null', 0", "'printf word | \"$@\"', 4"})
    @DisplayName("A command reads what its caller gives it, and nothing if that has closed the standard input")
    void closedInputIsEmpty(String shell, String bytes, @TempDir Path folder) throws Exception {
        Process starter = new ProcessBuilder(
                        "sh",
                        "-c",
                        shell,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starter.class.getName(),
                        folder.resolve("pid").toString(),
                        "wc",
                        "-c")
                .redirectErrorStream(true)
                .start();

        String output = new String(starter.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(output.strip()).isEqualTo(bytes);
    }

    @Test
    @DisplayName("A signal that comes before the command leads its group is sent when it does")
    void earlySignalIsSent() throws Exception {
        Process starting = new ProcessBuilder("sleep", "600").start();
        try {
            List<String> sent = new ArrayList<>();
            CommandProcess command = new CommandProcess(starting, (signal, group) -> {
                sent.add(signal);
                return sent.size() < 3 ? new KillAnswer(1, "kill: No such process") : new KillAnswer(0, "");
            });

            assertThat(command.signal("TERM")).isTrue();

            assertThat(sent).containsExactly("TERM", "TERM", "TERM");
        } finally {
            starting.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("A process that was given the number of the command after its end is not signalled")
    void anotherProcessOfThatNumberIsNotSignalled() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        List<String> sent = new ArrayList<>();
        CommandProcess command = new CommandProcess(new OfAnotherNumber(ended), (signal, group) -> {
            sent.add(signal + " to " + group);
            return new KillAnswer(0, "");
        });

        assertThat(command.signal("TERM")).isTrue();
        assertThat(command.awaitGone(0)).isTrue();

        assertThat(sent).isEmpty();
    }

    /** An ended process whose number is that of this one. */
    private static final class OfAnotherNumber extends Process {

        private final Process ended;

        OfAnotherNumber(Process ended) {
            this.ended = ended;
        }

        @Override
        public long pid() {
            return ProcessHandle.current().pid();
        }

        @Override
        public ProcessHandle toHandle() {
            return ended.toHandle();
        }

        @Override
        public int waitFor() throws InterruptedException {
            return ended.waitFor();
        }

        @Override
        public int exitValue() {
            return ended.exitValue();
        }

        @Override
        public OutputStream getOutputStream() {
            return ended.getOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return ended.getInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return ended.getErrorStream();
        }

        @Override
        public void destroy() {
            ended.destroy();
        }
    }

    @Test
    @DisplayName("A group whose processes were found gone is never signalled again, since others may have its number")
    void goneGroupIsNotSignalled() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        List<String> sent = new ArrayList<>();
        CommandProcess command = new CommandProcess(ended, (signal, group) -> {
            sent.add(signal + " to " + group);
            return sent.size() == 1 ? new KillAnswer(1, "kill: No such process") : new KillAnswer(0, "");
        });
        assertThat(command.awaitGone(0)).isTrue();

        assertThat(command.signal("TERM")).isTrue();
        assertThat(command.awaitGone(0)).isTrue();

        assertThat(sent).containsExactly("0 to " + ended.pid());
    }
}
