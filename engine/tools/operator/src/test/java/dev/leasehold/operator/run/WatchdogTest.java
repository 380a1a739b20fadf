package dev.leasehold.operator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchdogTest {

    @Test
    @DisplayName("A watchdog that is closed leaves no file behind, also where its thread is interrupted meanwhile")
    void interruptedCloseLeavesNothing() throws Exception {
        Watchdog watchdog = Watchdog.start(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(30));
        Path folder = watchdog.pidFile().getParent();
        assertThat(folder).exists();

        Thread.currentThread().interrupt();
        watchdog.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(folder).doesNotExist();
    }

    @Test
    @DisplayName("A watchdog whose folder a cleaner has removed can be closed")
    void closesWithoutFolder() throws Exception {
        Watchdog watchdog = Watchdog.start(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(30));
        Path folder = watchdog.pidFile().getParent();
        Files.delete(folder.resolve("beat"));
        Files.delete(folder);

        assertThatCode(watchdog::close).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("A watchdog that finds no process of the command sends its group nothing more")
    void goneGroupIsNotKilled(@TempDir Path folder) throws Exception {
        Path sent = folder.resolve("sent");
        Path files = Files.createDirectory(folder.resolve("files"));
        Files.writeString(files.resolve("pid"), "4711\n");
        Files.writeString(files.resolve("beat"), "");
        String nothingIsFound = "sleep() { :; }\nkill() { echo \"$*\" >>'" + sent + "'; return 1; }\n";

        new ProcessBuilder("sh", "-c", nothingIsFound + Watchdog.text(), "watchdog", files.toString(), "1", "5", "30")
                .inheritIO()
                .start()
                .waitFor();

        assertThat(sent).content().isEqualTo("-s 0 1\n-s TERM -- -4711\n-s 0 -- -4711\n-s 0 1\n");
        assertThat(files).doesNotExist();
    }
}
