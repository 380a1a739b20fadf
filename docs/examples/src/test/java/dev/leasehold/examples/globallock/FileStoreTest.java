package dev.leasehold.examples.globallock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileStoreTest {

    private final Path folder;
    private final FileStore store;

    FileStoreTest(@TempDir Path folder) {
        this.folder = folder;
        store = new FileStore(folder);
    }

    @Test
    void anOlderTokenIsRefusedAndTheSameOneIsNot() throws IOException {
        assertThat(store.write("report", "draft", 13)).isTrue();
        assertThat(store.write("report", "second draft", 13)).isTrue();
        assertThat(store.write("report", "final\nwith two lines", 14)).isTrue();
        assertThat(store.write("report", "too late", 13)).isFalse();

        assertThat(store.read("report")).isEqualTo("final\nwith two lines");
    }

    @Test
    void eachFileHasATokenOfItsOwn() throws IOException {
        store.write("report", "final", 14);

        assertThat(store.write("another", "draft", 13)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../report",
                "/report",
                "a/../../report",
                "a\\b",
                ".lock",
                ".report",
                "a\0b",
                "a\nb"
            })
    void aNameThatLeadsElsewhereIsRefused(String name) throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.write(name, "text", 1))
                .withMessageContaining("is refused: a name must be 1 to 100 letters");
        assertThatIllegalArgumentException().isThrownBy(() -> store.read(name));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void noFileTakesThePlaceOfAnother() throws IOException {
        for (String name : List.of("report", "report.next", "report.lock", "lock")) {
            assertThat(store.write(name, "this is " + name, 13)).isTrue();
        }
        store.write("report", "final", 14);

        assertThat(store.read("report.next")).isEqualTo("this is report.next");
        assertThat(store.read("lock")).isEqualTo("this is lock");
    }

    @Test
    void ofManyAtOnceTheGreatestTokenIsTheLast() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Boolean>> writes = new ArrayList<>();
        for (int i = 1; i <= 64; i++) {
            long token = i % 2 == 0 ? i : 64 - i;
            writes.add(threads.submit(() -> store.write("report", "under " + token, token)));
        }
        for (Future<Boolean> write : writes) {
            write.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();

        assertThat(store.read("report")).isEqualTo("under 64");
    }
}
