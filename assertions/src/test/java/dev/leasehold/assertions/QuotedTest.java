package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotedTest {

    private static final String ROCKET = "\ud83d\ude80";

    @ParameterizedTest
    @CsvSource({
        "0000, '''a\\u0000b'''",
        "000a, '''a\\u000ab'''",
        "0085, '''a\\u0085b'''",
        "007f, '''a\\u007fb'''",
        "202e, '''a\\u202eb'''",
        "2028, '''a\\u2028b'''",
        "d83d, '''a\\ud83db'''",
        "de80, '''a\\ude80b'''",
    })
    void whatCannotBeSeenIsEscaped(String unit, String shown) {
        assertThat(Quoted.of("a" + (char) Integer.parseInt(unit, 16) + "b")).isEqualTo(shown);
    }

    @Test
    void invisibleCharactersBeyondTheFirstPlaneAreEscapedAsPairs() {
        assertThat(Quoted.of(Character.toString(0xe0001))).isEqualTo("'\\udb40\\udc01'");
    }

    @Test
    void otherTextIsShownAsItIs() {
        assertThat(Quoted.of("a b\u03a9" + ROCKET)).isEqualTo("'a b\u03a9" + ROCKET + "'");
    }

    @Test
    void noTextIsTakenForNull() {
        assertThat(Quoted.of(null)).isEqualTo("null");
        assertThat(Quoted.of("null")).isEqualTo("'null'");
    }

    @Test
    void aLongTextIsCutBetweenCharactersAndItsLengthIsTold() {
        assertThat(Quoted.of(ROCKET.repeat(512))).isEqualTo("'" + ROCKET.repeat(512) + "'");
        assertThat(Quoted.of(ROCKET.repeat(70_000))).isEqualTo("'" + ROCKET.repeat(512) + "'... (70000 characters)");
    }

    @Test
    void whateverIsShownHasNoControlCharacterAndNoUnpairedSurrogate() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .filter(character -> !LeaseNames.isCleanText(Quoted.of(Character.toString(character))))
                        .toArray())
                .isEmpty();
    }

    @Test
    void aCellHasNoMarksAndIsNeverCut() {
        assertThat(LeaseNames.visible("a b\u03a9" + ROCKET)).isEqualTo("a b\u03a9" + ROCKET);
        assertThat(LeaseNames.visible("a\u202eb\u2028c\n\u001b[31m")).isEqualTo("a\\u202eb\\u2028c\\u000a\\u001b[31m");
        assertThat(LeaseNames.visible("x".repeat(600))).hasSize(600);
        assertThat(LeaseNames.visible(null)).isEqualTo("null");
        assertThat(LeaseNames.quote("a\u202eb")).isEqualTo("'a\\u202eb'");
    }

    @Test
    void aTenureInALogIsOneLine() {
        assertThat(new Tenure("ns", "a\u2028b", "h\u202e", 7))
                .hasToString("Tenure[namespace=ns, name=a\\u2028b, holder=h\\u202e, token=7]");
    }
}
