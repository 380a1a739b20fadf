package dev.leasehold.operator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchdogTest {

    @TempDir
    private Path folder;

    /** Those of a watchdog. */
    private Path files;

    @BeforeEach
    void makeFiles() throws IOException {
        files = Files.createDirectory(folder.resolve("files"));
    }

    @Test
    @DisplayName("A watchdog that is closed leaves no file behind, also where its thread is interrupted meanwhile")
    void interruptedCloseLeavesNothing() throws Exception {
        Watchdog watchdog = Watchdog.start(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(30));
        Path own = watchdog.pidFile().getParent();
        assertThat(own).exists();

        Thread.currentThread().interrupt();
        watchdog.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(own).doesNotExist();
    }

    @Test
    @DisplayName("A watchdog whose folder a cleaner has removed can be closed")
    void closesWithoutFolder() throws Exception {
        Watchdog watchdog = Watchdog.start(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(30));
        Path own = watchdog.pidFile().getParent();
        Files.delete(own.resolve("beat"));
        Files.delete(own);

        assertThatCode(watchdog::close).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("A watchdog that finds no process of the command sends its group nothing more")
    void goneGroupIsNotKilled() throws Exception {
        Files.writeString(files.resolve("pid"), "4711\n");

        assertThat(sentByOneThatFindsNoProcess()).isEqualTo("-s 0 1\n-s TERM -- -4711\n-s 0 -- -4711\n-s 0 1\n");
        assertThat(files).doesNotExist();
    }

    @Test
    @DisplayName("A watchdog sends nothing to a process that was given the number of the command after its end")
    void anotherProcessOfThatNumberIsLeftAlone() throws Exception {
        Files.writeString(files.resolve("pid"), ProcessHandle.current().pid() + " 1\n");

        assertThat(sentByOneThatFindsNoProcess()).isEqualTo("-s 0 1\n-s 0 1\n");
    }

    @Test
    @DisplayName("A watchdog knows the command by what that wrote when it began")
    void theCommandIsKnown() throws Exception {
        CommandProcess command = CommandProcess.start(List.of("sleep", "600"), Map.of(), files.resolve("pid"));
        try {
            String group = "";
            while (group.isEmpty()) {
                group = Files.exists(files.resolve("pid"))
                        ? Files.readString(files.resolve("pid")).strip()
                        : "";
            }
            String number = group.split(" ")[0];

            assertThat(group).matches("\\d+ \\S+");
            assertThat(sentByOneThatFindsNoProcess()).contains("-s TERM -- -" + number + "\n");
        } finally {
            command.signal("KILL");
        }
    }

    private String sentByOneThatFindsNoProcess() throws Exception {
        Path sent = folder.resolve("sent");
        Files.writeString(files.resolve("beat"), "");
        String nothingIsFound = "sleep() { :; }\nkill() { echo \"$*\" >>'" + sent + "'; return 1; }\n";
        new ProcessBuilder("sh", "-c", nothingIsFound + Watchdog.text(), "watchdog", files.toString(), "1", "5", "30")
                .inheritIO()
                .start()
                .waitFor();
        return Files.readString(sent);
    }
}
