package dev.leasehold.bench.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.task.SyncTaskExecutor;

class JdbcClassesTest {

    @TempDir
    private Path folder;

    private JdbcClasses classes() throws IOException {
        return JdbcClasses.in(JdbcJars.copyTo(folder.resolve("jars")));
    }

    @Test
    void thePeersSpringIsNotTheOneOfTheClassPath() throws Exception {
        Object executor = classes().make(SyncTaskExecutor.class.getName());

        assertThat(executor).isNotInstanceOf(SyncTaskExecutor.class);
        assertThat(executor.getClass().getPackage().getImplementationVersion()).startsWith("7.");
        assertThat(SyncTaskExecutor.class.getPackage().getImplementationVersion())
                .startsWith("6.");
    }

    @Test
    void whatIsOnTheClassPathIsNotSeen() throws IOException {
        JdbcClasses classes = classes();

        assertThatThrownBy(() -> classes.make(ServerAddresses.class.getName()))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void theSameFolderIsLoadedOnce() throws IOException {
        JdbcClasses classes = classes();

        assertThat(JdbcClasses.in(folder.resolve("jars"))).isSameAs(classes);
    }

    @Test
    void whatWasCalledThrowsAsIfItWereCalledDirectly() throws Exception {
        Object source = classes().make("org.postgresql.ds.PGSimpleDataSource");
        JdbcClasses.call(source, "setURL", "jdbc:postgresql://127.0.0.1:1/none");

        assertThatThrownBy(() -> JdbcClasses.call(source, "getConnection")).isInstanceOf(SQLException.class);
    }

    @Test
    void whatNothingTakesIsNamed() throws IOException {
        JdbcClasses classes = classes();

        assertThatThrownBy(() -> classes.make("java.util.ArrayList", "many"))
                .isInstanceOf(NoSuchMethodException.class)
                .hasMessage("java.util.ArrayList does not take [many]");
        assertThatThrownBy(() -> JdbcClasses.call(new StringBuilder(), "setLength", 1L))
                .isInstanceOf(NoSuchMethodException.class)
                .hasMessage("setLength does not take [1]");
    }
}
