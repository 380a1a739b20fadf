package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spring.Leased;
import dev.leasehold.withreactivedriver.LinkedClasses;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The starter was compiled with a newer Spring Boot than that of this application. */
class OldestSpringBootTest {

    private static final LinkedClasses STARTER = LinkedClasses.of(Leased.class);

    @ParameterizedTest
    @ValueSource(strings = {"org.springframework", "io.micrometer", "reactor"})
    @DisplayName("All that the starter calls of a library is there in the oldest one")
    void whatIsCalledIsThere(String library) {
        assertThat(STARTER.accessesTo(library)).isNotEmpty();
        assertThat(STARTER.missingMembers(library)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.springframework", "io.micrometer", "reactor"})
    @DisplayName("All types of a library that it names are there")
    void whatIsNamedIsThere(String library) {
        assertThat(STARTER.missingTypes(library)).isEmpty();
    }
}
