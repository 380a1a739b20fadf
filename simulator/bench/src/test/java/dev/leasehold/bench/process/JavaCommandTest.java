package dev.leasehold.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class JavaCommandTest {

    @Test
    void theClassPathMeansTheSameInEveryFolder() {
        String here = Path.of("").toAbsolutePath().toString();

        assertThat(JavaCommand.absolute("target/bench.jar" + File.pathSeparator + here))
                .isEqualTo(here + File.separator + "target" + File.separator + "bench.jar" + File.pathSeparator + here);
    }
}
