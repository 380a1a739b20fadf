package dev.leasehold.engine.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.LeaseNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceNameTest {

    @ParameterizedTest
    @CsvSource({
        "shop-1.example.org, 4711, shop-1.example.org:4711",
        "'my host', 1, my-host:1",
        "'host:with/odd#signs', 1, host-with-odd-signs:1",
        "'хост', 1, ----:1",
        "'', 1, :1"
    })
    void hostNameIsMadeToFitTheRule(String host, long pid, String expected) {
        assertThat(InstanceName.of(host, pid)).isEqualTo(expected);
        assertThat(LeaseNames.checkInstance(expected)).isEqualTo(expected);
    }

    @Test
    void longHostNameIsCutAndTheProcessIdKept() {
        String name = InstanceName.of("h".repeat(200), Long.MAX_VALUE);

        assertThat(name).hasSize(64).endsWith("h:" + Long.MAX_VALUE);
        assertThat(InstanceName.of("h".repeat(62), 1)).isEqualTo("h".repeat(62) + ":1");
    }

    @Test
    void nameOfThisProcessKeepsTheRule() {
        assertThat(LeaseNames.checkInstance(InstanceName.ofThisProcess()))
                .endsWith(":" + ProcessHandle.current().pid());
    }
}
