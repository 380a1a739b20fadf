package dev.leasehold.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CommandTextTest {

    @Test
    void theJarIsCalledAsItWas() {
        assertThat(CommandText.calledBy("simulator/skew/target/leasehold-simulator.jar"))
                .isEqualTo("java -jar simulator/skew/target/leasehold-simulator.jar");
    }

    @Test
    void withoutAJarOnlyItsNameIsKnown() {
        assertThat(CommandText.calledBy("target/classes:lib/engine.jar"))
                .isEqualTo("java -jar leasehold-simulator.jar");
    }

    @Test
    void whatAShellWouldTakeApartIsQuoted() {
        assertThat(CommandText.calledBy("my files/leasehold-simulator.jar"))
                .isEqualTo("java -jar 'my files/leasehold-simulator.jar'");
        assertThat(CommandText.quoted(Path.of("target/a-b_1.json"))).isEqualTo("target/a-b_1.json");
        assertThat(CommandText.quoted(Path.of("it's.json"))).isEqualTo("'it'\\''s.json'");
    }
}
