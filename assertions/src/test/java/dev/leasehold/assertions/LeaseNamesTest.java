package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseNamesTest {

    private static final String LABEL_RULE = "must be 1 to 64 characters out of A-Z a-z 0-9 . _ : / -";
    private static final String CLEAN_RULE = "without control characters and unpaired surrogates";
    private static final String TEXT_RULE = "must be 1 to 512 bytes in UTF-8, not white space alone, " + CLEAN_RULE;

    private static final String OMEGA = "\u03a9"; // 2 bytes in UTF-8, 1 char
    private static final String EURO = "\u20ac"; // 3 bytes, 1 char
    private static final String ROCKET = "\ud83d\ude80"; // 4 bytes, 2 chars

    @Nested
    class Labels {

        @ParameterizedTest
        @DisplayName("VA-1: an instance outside the rule is refused")
        @NullAndEmptySource
        @MethodSource("dev.leasehold.assertions.LeaseNamesTest#badLabels")
        void badInstanceIsRefused(String instance) {
            assertRefused(LeaseNames::checkInstance, instance, "instance", LABEL_RULE);
        }

        @ParameterizedTest
        @DisplayName("VA-2: a namespace outside the rule is refused")
        @NullAndEmptySource
        @MethodSource("dev.leasehold.assertions.LeaseNamesTest#badLabels")
        void badNamespaceIsRefused(String namespace) {
            assertRefused(LeaseNames::checkNamespace, namespace, "namespace", LABEL_RULE);
        }

        @ParameterizedTest
        @DisplayName("VA-3: dots, slashes and the like are accepted")
        @ValueSource(strings = {"a.b", "a_b", "region-1/host:27017", "A", "9", "."})
        void namesAsServicesHaveThemAreAccepted(String label) {
            assertThat(LeaseNames.checkInstance(label)).isSameAs(label);
            assertThat(LeaseNames.checkNamespace(label)).isSameAs(label);
        }

        @Test
        void sixtyFourCharactersAreAcceptedAndOneMoreIsRefused() {
            String longest = "n".repeat(64);

            assertThat(LeaseNames.checkNamespace(longest)).isSameAs(longest);
            assertThat(LeaseNames.checkInstance(longest)).isSameAs(longest);
            assertRefused(LeaseNames::checkNamespace, longest + "n", "namespace", longest);
            assertRefused(LeaseNames::checkInstance, longest + "n", "instance", longest);
        }

        @Test
        void exactlySixtySevenCharactersOfAllAreAllowed() {
            String allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-";

            IntPredicate isAllowed = character -> allowed.indexOf(character) >= 0;

            assertAcceptsAlone(LeaseNames::checkNamespace, Character.MAX_VALUE, isAllowed);
            assertAcceptsAlone(LeaseNames::checkInstance, Character.MAX_VALUE, isAllowed);
        }

        @Test
        void theSeparatorsOfDocumentIdsAreNotAllowed() {
            assertRefused(LeaseNames::checkNamespace, "a#b", "namespace", "'a#b'");
            assertRefused(LeaseNames::checkNamespace, "a!b", "namespace", "'a!b'");
            assertRefused(LeaseNames::checkNamespace, "a~1", "namespace", "'a~1'");
        }

        @ParameterizedTest
        @ValueSource(strings = {"a", "a~1", "a~9", "a~10", "a~63", ".~1"})
        void aNamespaceAndEachOfItsPartitionsIsAPartition(String partition) {
            assertThat(LeaseNames.checkPartition(partition)).isSameAs(partition);
        }

        @ParameterizedTest
        @NullAndEmptySource
        @ValueSource(
                strings = {
                    "~1",
                    "a~",
                    "a~0",
                    "a~64",
                    "a~01",
                    "a~1~1",
                    "a~+1",
                    "a~100",
                    "a~x",
                    "a~\u0661",
                    "a#b",
                    "a~1#b"
                })
        void everythingElseIsNoPartition(String partition) {
            assertRefused(LeaseNames::checkPartition, partition, "namespace", "a ~ and a number of 1 to 63");
        }
    }

    @Nested
    class NamesAndHolders {

        @ParameterizedTest
        @DisplayName("VA-5: a lease name outside the rule is refused")
        @NullAndEmptySource
        @MethodSource("dev.leasehold.assertions.LeaseNamesTest#unclean")
        void badNameIsRefused(String name) {
            assertRefused(LeaseNames::checkName, name, "lease name", TEXT_RULE);
        }

        @ParameterizedTest
        @DisplayName("VA-6: a holder outside the rule is refused")
        @NullAndEmptySource
        @MethodSource("dev.leasehold.assertions.LeaseNamesTest#unclean")
        void badHolderIsRefused(String holder) {
            assertRefused(LeaseNames::checkHolder, holder, "holder", TEXT_RULE);
        }

        @ParameterizedTest
        @NullAndEmptySource
        @MethodSource("dev.leasehold.assertions.LeaseNamesTest#unclean")
        void badEntityIsRefusedUnderItsOwnName(String entity) {
            assertRefused(LeaseNames::checkEntity, entity, "entity", TEXT_RULE);
        }

        @ParameterizedTest
        @DisplayName("VA-7: any other Unicode text is accepted unchanged")
        @ValueSource(
                strings = {
                    "a.b",
                    "$where",
                    "a#b",
                    "spaces in it",
                    " a ",
                    "\u03a9\u043c\u0435\u0433\u0430",
                    ROCKET,
                    "\u05e9\u05dc\u05d5\u05dd",
                    "e\u0301",
                    "\uffff",
                    "\"",
                    "\\"
                })
        void anyOtherTextIsAccepted(String text) {
            assertThat(LeaseNames.checkName(text)).isSameAs(text);
            assertThat(LeaseNames.checkHolder(text)).isSameAs(text);
            assertThat(LeaseNames.checkEntity(text)).isSameAs(text);
        }

        @Test
        void everyCharacterIsAllowedButControlsAndUnpairedSurrogatesAndWhiteSpaceAlone() {
            IntPredicate isAllowed = character -> isClean(character) && !isWhiteSpace(character);

            assertAcceptsAlone(LeaseNames::checkName, Character.MAX_CODE_POINT, isAllowed);
            assertAcceptsAlone(LeaseNames::checkHolder, Character.MAX_CODE_POINT, isAllowed);
        }

        @ParameterizedTest
        @ValueSource(strings = {" ", "   ", "\u00a0", "\u2007 \u202f", "\u2028", "\u3000"})
        void whiteSpaceAloneIsRefused(String blank) {
            assertRefused(LeaseNames::checkName, blank, "lease name", "not white space alone");
            assertRefused(LeaseNames::checkHolder, blank, "holder", "not white space alone");
            assertRefused(LeaseNames::checkEntity, blank, "entity", "not white space alone");
        }

        @ParameterizedTest
        @ValueSource(strings = {"n", OMEGA, EURO, ROCKET})
        void theLengthCountsInBytesOfUtf8(String character) {
            int bytes = character.getBytes(StandardCharsets.UTF_8).length;
            String longest = character.repeat(512 / bytes) + "n".repeat(512 % bytes);

            assertThat(longest.getBytes(StandardCharsets.UTF_8)).hasSize(512);
            assertThat(LeaseNames.checkName(longest)).isSameAs(longest);
            assertThat(LeaseNames.checkHolder(longest)).isSameAs(longest);
            assertRefused(LeaseNames::checkName, longest + "n", "lease name", "512 bytes");
            assertRefused(LeaseNames::checkHolder, longest + "n", "holder", "512 bytes");
        }
    }

    @Nested
    class Comments {

        @ParameterizedTest
        @DisplayName("VA-13: a comment of 512 characters is accepted, of 513 refused")
        @ValueSource(strings = {"c", OMEGA, EURO, ROCKET})
        void theLengthCountsInCharacters(String character) {
            String longest = character.repeat(512);

            assertThat(LeaseNames.checkComment(longest)).isSameAs(longest);
            assertRefused(LeaseNames::checkComment, longest + "c", "comment", "must be at most 512 characters");
        }

        @Test
        void anEmptyCommentIsAccepted() {
            assertThat(LeaseNames.checkComment("")).isEmpty();
        }

        @ParameterizedTest
        @MethodSource("dev.leasehold.assertions.LeaseNamesTest#unclean")
        void badCommentIsRefused(String comment) {
            assertRefused(LeaseNames::checkComment, comment, "comment", CLEAN_RULE);
        }

        @Test
        void nullIsRefused() {
            assertRefused(LeaseNames::checkComment, null, "comment null", "must be at most");
        }

        @Test
        void everyCharacterIsAllowedButControlsAndUnpairedSurrogates() {
            assertAcceptsAlone(LeaseNames::checkComment, Character.MAX_CODE_POINT, LeaseNamesTest::isClean);
        }
    }

    static Stream<String> badLabels() {
        return Stream.of("$bad", "a#b", "a b", "n".repeat(65), "\u00e4", "a\n", ROCKET);
    }

    static Stream<String> unclean() {
        return Stream.of("a\u0000b", "\t", "a\n", "\u0085", "\u007f", "\ud83d", "\ude80", "\ude80\ud83d", "a\ud83d");
    }

    private static boolean isWhiteSpace(int character) {
        return Character.isWhitespace(character) || Character.isSpaceChar(character);
    }

    private static boolean isClean(int character) {
        boolean control = character < 0x20 || character >= 0x7f && character < 0xa0;
        boolean surrogate = character >= 0xd800 && character < 0xe000;
        return !control && !surrogate;
    }

    private static void assertRefused(UnaryOperator<String> check, String value, String what, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check.apply(value))
                .withMessageStartingWith(what)
                .withMessageContaining(Quoted.of(value))
                .withMessageContaining(rule);
    }

    /** Goes through every code point up to the last. */
    private static void assertAcceptsAlone(UnaryOperator<String> check, int last, IntPredicate allowed) {
        int[] judgedOtherwise = IntStream.rangeClosed(0, last)
                .filter(character -> accepts(check, Character.toString(character)) != allowed.test(character))
                .toArray();
        assertThat(judgedOtherwise).isEmpty();
    }

    private static boolean accepts(UnaryOperator<String> check, String value) {
        try {
            return check.apply(value).equals(value);
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }
}
