package dev.leasehold.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseDurationTest {

    private static final String NAME = "environment-exclusion.lease.duration";

    private static Duration of(String text) {
        Properties properties = new Properties();
        properties.setProperty(NAME, text);
        return LeaseDuration.of(properties);
    }

    @Test
    void itIsAMinuteUnlessItIsConfigured() {
        assertThat(LeaseDuration.of(new Properties())).isEqualTo(Duration.ofMinutes(1));
        assertThat(of("PT2M30S")).isEqualTo(Duration.ofSeconds(150));
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "PT0S", "PT-1S", ""})
    void whatIsNoPositiveDurationIsRefusedByItsName(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(text))
                .withMessageContaining(NAME)
                .withMessageContaining("'" + text + "'");
    }
}
