package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriterStateTest {

    @ParameterizedTest
    @CsvSource({"shop:4711#9f2c, shop:4711", "a~b~example:1#9f2c, a.b.example:1", "byhand, byhand"})
    void theInstanceIsWhatWasConfigured(String writer, String instance) {
        assertThat(new WriterState.Corrupt(writer, "billing", "time", "is missing").instance())
                .isEqualTo(instance);
    }
}
