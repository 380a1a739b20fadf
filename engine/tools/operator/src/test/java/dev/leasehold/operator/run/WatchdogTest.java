package dev.leasehold.operator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
}
