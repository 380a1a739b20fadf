package dev.leasehold.examples.quotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuotingPageTest {

    private final Regions regions = new Regions();

    QuotingPageTest() {
        add("    // example:start claim", "    if (free) {", "        claim();", "    }", "    // example:end claim");
    }

    @Test
    void theSameCodeFurtherToTheLeftIsAQuote() {
        assertThat(page("<!-- example: Gate#claim -->", "```java", "if (free) {", "    claim();", "}", "```")
                        .problems())
                .isEmpty();
    }

    @Test
    void aBlankLineBelowTheMarkerDoesNotMatter() {
        assertThat(page("<!-- example: Gate#claim -->", "", "```java", "if (free) {", "    claim();", "}", "```")
                        .problems())
                .isEmpty();
    }

    @Test
    void oneQuoteMayBeOfSeveralRegions() {
        addOf("Other", "// example:start imports", "import a.B;", "// example:end imports");

        assertThat(page(
                                "<!-- example: Other#imports Gate#claim -->",
                                "```java",
                                "import a.B;",
                                "",
                                "if (free) {",
                                "    claim();",
                                "}",
                                "```")
                        .problems())
                .isEmpty();
        assertThat(page("<!-- example: Other#imports Gate#claim -->", "```java", "import a.B;", "```")
                        .problems())
                .hasSize(1);
    }

    @Test
    void itTellsWhatItQuotes() {
        assertThat(page("<!-- example: Gate#claim -->", "```java", "```").quoted())
                .containsExactly("Gate#claim");
    }

    @Test
    void otherCodeIsNotAQuote() {
        assertThat(page("<!-- example: Gate#claim -->", "```java", "claim();", "```")
                        .problems())
                .singleElement()
                .asString()
                .startsWith("guide.md:2: differs from Gate#claim");
    }

    @Test
    void aChangeOfInnerIndentationIsSeen() {
        assertThat(page("<!-- example: Gate#claim -->", "```java", "if (free) {", "  claim();", "}", "```")
                        .problems())
                .hasSize(1);
    }

    @Test
    void aMarkerHasToNameARegion() {
        assertThat(page("<!-- example: Gate#release -->", "```java", "release();", "```")
                        .problems())
                .containsExactly("guide.md:2: there is no region Gate#release");
    }

    @Test
    void aMarkerHasToBeWellFormed() {
        assertThat(page("<!-- example: claim -->", "```java", "claim();", "```").problems())
                .containsExactly("guide.md:2: the marker above has to read <!-- example: Class#region -->");
    }

    @Test
    void javaCodeHasToHaveAMarker() {
        assertThat(page("```java", "claim();", "```").problems())
                .containsExactly("guide.md:1: Java code without a marker");
    }

    @Test
    void codeInOtherLanguagesNeedsNone() {
        assertThat(page("```xml", "<claim/>", "```", "", "```", "claim", "```").problems())
                .isEmpty();
    }

    @Test
    void textBetweenMarkerAndCodeSeparatesThem() {
        assertThat(page("<!-- example: Gate#claim -->", "So:", "```java", "if (free) {", "```")
                        .problems())
                .containsExactly(
                        "guide.md:2: no code below <!-- example: Gate#claim -->",
                        "guide.md:3: Java code without a marker");
    }

    @Test
    void aMarkerAtTheEndHasNoCode() {
        assertThat(page("<!-- example: Gate#claim -->").problems()).hasSize(1);
    }

    @Test
    void theEdgesOfRegionsHaveToPairUp() {
        assertThatIllegalStateException()
                .isThrownBy(() -> add("// example:start a"))
                .withMessageContaining("does not end 'a'");
        assertThatIllegalStateException()
                .isThrownBy(() -> add("// example:end a"))
                .withMessageContaining("ends 'a'");
        assertThatIllegalStateException()
                .isThrownBy(() -> add("// example:start a", "// example:start b"))
                .withMessageContaining("starts 'b' within 'a'");
    }

    @Test
    void twoRegionsOfOneNameAreRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> add("// example:start claim", "// example:end claim"))
                .withMessage("Gate#claim is there twice");
    }

    private void add(String... source) {
        regions.add("Gate", List.of(source));
    }

    private void addOf(String className, String... source) {
        regions.add(className, List.of(source));
    }

    private QuotingPage page(String... lines) {
        return QuotingPage.read("guide.md", List.of(lines), regions);
    }
}
