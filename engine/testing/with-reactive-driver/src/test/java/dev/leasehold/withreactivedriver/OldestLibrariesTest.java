package dev.leasehold.withreactivedriver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.LeaseEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine was compiled with newer libraries than those of this module. */
class OldestLibrariesTest {

    private static final LinkedClasses ENGINE = LinkedClasses.of(LeaseEngine.class, LeaseAssertion.class);

    @ParameterizedTest
    @ValueSource(strings = {"com.mongodb", "org.bson", "io.micrometer", "org.slf4j"})
    @DisplayName("All that engine and assertions call of a library is there in the oldest one")
    void whatIsCalledIsThere(String library) {
        assertThat(ENGINE.accessesTo(library)).isNotEmpty();
        assertThat(ENGINE.missingMembers(library)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.mongodb", "org.bson", "io.micrometer", "org.slf4j"})
    @DisplayName("All types of a library that they name are there")
    void whatIsNamedIsThere(String library) {
        assertThat(ENGINE.missingTypes(library)).isEmpty();
    }
}
