package dev.leasehold.mergequeue.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The address of a replica that is given none. */
class ServeCommandTest {

    private final ServeCommand command = new ServeCommand();

    ServeCommandTest() {
        new CommandLine(command).parseArgs("--config", "c.yaml", "--port", "8080", "--embedded");
    }

    @Test
    void theNameOfTheMachineIsTheUsualAddress() {
        assertThat(command.usualAddress("replica-1")).hasToString("http://replica-1:8080");
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
