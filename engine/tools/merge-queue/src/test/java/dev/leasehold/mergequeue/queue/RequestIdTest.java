package dev.leasehold.mergequeue.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of requests. */
class RequestIdTest {

    @Provide
    Arbitrary<RequestId> ids() {
        Arbitrary<String> words = Arbitraries.strings().withChars("aZ9_-").ofMaxLength(4);
        return Combinators.combine(
                        words.filter(word -> !word.isEmpty()),
                        words,
                        Arbitraries.integers().between(1, 12),
                        words)
                .as(RequestId::new);
    }

    @Property
    void keyIsReadBackAndIsThatOfOneRequestAlone(@ForAll("ids") RequestId one, @ForAll("ids") RequestId other) {
        assertThat(RequestId.parse(one.key())).isEqualTo(one);
        assertThat(one.key().equals(other.key())).isEqualTo(one.equals(other));
        assertThat(one.key()).doesNotContain(".", "$");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "$set", "a b", "a~b", "ä", "a\u0000"})
    @DisplayName("What could be taken for a part of a path in a document is refused")
    void otherCharactersAreRefused(String text) {
        assertThatThrownBy(() -> RequestId.of(text)).isInstanceOf(IllegalArgumentException.class);
        if (!text.isEmpty()) {
            assertThatThrownBy(() -> new RequestId("sha", text, 1, "")).hasMessageContaining(text);
            assertThatThrownBy(() -> new RequestId("sha", "", 1, text)).hasMessageContaining(text);
        }
    }

    @Test
    void attemptsAreCountedFromOne() {
        assertThatThrownBy(() -> new RequestId("sha", "1", 0, "")).hasMessageContaining("attempt 0");
    }

    @ParameterizedTest
    @CsvSource({
        "queue/pr-1, ''",
        "gh-readonly-queue/main/pr-31143-0123456789abcdef0123456789abcdef01234567, 31143",
        "refs/heads/gh-readonly-queue/release/1.2/pr-7-0123456789abcdef0123456789abcdef01234567, 7",
        "gh-readonly-queue/main/pr-31143-next, ''",
        "refs/pull/12/merge, 12",
        "pull/12/head, 12",
        "pull/0/head, ''",
        "my/gh-readonly-queue/main/pr-1-0123456, ''",
    })
    @DisplayName("The number of a pull request is taken from the names that GitHub makes, unless the caller gives one")
    void numberIsTakenFromTheNamesOfGitHub(String ref, String number) {
        assertThat(Payload.of(ref, OptionalLong.empty()).pullRequest())
                .isEqualTo(number.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(number)));
        assertThat(Payload.of(ref, OptionalLong.of(99)).pullRequest()).hasValue(99);
    }
}
