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
    @ValueSource(strings = {"PT0.000999999S", "P36500DT0.000000001S", "PT99999999999999H"})
    void whatNoEngineGrantsIsRefusedBeforeAnEnvironmentIsAskedFor(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(text))
                .withMessage(NAME + " '" + text + "' is refused: it must be 1 ms to 36,500 days");
        assertThat(of("PT0.001S")).isEqualTo(Duration.ofMillis(1));
        assertThat(of("P36500D")).isEqualTo(Duration.ofDays(36_500));
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
