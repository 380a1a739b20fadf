package dev.leasehold.mergequeue.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.mergequeue.config.DurationText;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The words of the command line, and what a replica does without them. */
class ServeCommandTest {

    private final ServeCommand command = new ServeCommand();

    ServeCommandTest() {
        new CommandLine(command).parseArgs("--config", "c.yaml", "--port", "8080", "--embedded");
    }

    @Test
    @DisplayName("Help shows durations as they are typed here, in the configuration and for the operator's tool")
    void durationsAreShownAsTheyAreTyped() {
        assertThat(new CommandLine(command).getUsageMessage())
                .contains("15s")
                .contains("3s to 5m")
                .doesNotContainPattern("PT\\d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"15s", "1m30s", "15000ms", "15"})
    void theSessionLengthIsTypedAsInTheConfiguration(String typed) {
        assertThatNoException().isThrownBy(() -> parse(typed));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT15S", "soon", ""})
    void whatIsNoDurationIsRefusedWithTheRule(String typed) {
        assertThatThrownBy(() -> parse(typed))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("'" + typed + "' is no " + DurationText.RULE);
    }

    private void parse(String sessionLength) {
        new CommandLine(command)
                .parseArgs("--config", "c.yaml", "--port", "8080", "--embedded", "--session-length", sessionLength);
    }

    @Test
    void theNameOfTheMachineIsTheUsualAddress() {
        assertThat(command.usualAddress("replica-1")).hasToString("http://replica-1:8080");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:8080",
        "127.0.0.2, http://127.0.0.2:8080",
        "localhost, http://localhost:8080",
        "::1, http://[::1]:8080",
        "[::1], http://[::1]:8080"
    })
    void aServiceForThisMachineAloneIsReachedWhereItListens(String host, String address) {
        new CommandLine(command).parseArgs("--config", "c.yaml", "--port", "8080", "--embedded", "--host", host);

        assertThat(command.address(host)).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"build_server", "fe80::1", "a b", ""})
    void aNameThatNoAddressCanHaveIsRefused(String name) {
        assertThatThrownBy(() -> command.usualAddress(name))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("--address");
    }
}
