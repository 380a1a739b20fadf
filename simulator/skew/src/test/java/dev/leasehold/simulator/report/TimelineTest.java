package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The page about a history. */
class TimelineTest {

    private static final String HOSTILE = "<script>alert('x')</script>&\"\u0001\uD800]]>";

    static List<Report> findings() {
        return List.of(
                Reports.overlap("holder-0", "holder-1"),
                Reports.overlap(HOSTILE, "holder-1"),
                Reports.busy(40),
                Reports.busy(900),
                Reports.good());
    }

    /** The page is XML, too, so that a strict parser finds what is not closed or not escaped. */
    private static Document page(Report finding) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(Timeline.html(finding))));
        } catch (Exception e) {
            throw new AssertionError("no XML: " + e.getMessage(), e);
        }
    }

    private static List<Element> elements(Element parent, String name, String style) {
        List<Element> found = new ArrayList<>();
        NodeList all = parent.getElementsByTagName(name);
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (style.isEmpty()
                    || List.of(element.getAttribute("class").split(" ")).contains(style)) {
                found.add(element);
            }
        }
        return found;
    }

    private static List<String> texts(Document page, String name, String style) {
        return elements(page.getDocumentElement(), name, style).stream()
                .map(Element::getTextContent)
                .toList();
    }

    /** The bars of the drawing with that style. */
    private static List<Element> bars(Document page, String style) {
        return elements(elements(page.getDocumentElement(), "div", "sheet").get(0), "div", style);
    }

    @ParameterizedTest
    @MethodSource("findings")
    void thePageIsWellFormedAndNeedsNothingElse(Report finding) {
        assertThat(bars(page(finding), "bar")).isNotEmpty();
        assertThat(Timeline.html(finding))
                .doesNotContain("http:", "https:", "//", "<script", "<link", "<img", "@import", "src=", "javascript:")
                .doesNotContain("url(");
    }

    @ParameterizedTest
    @MethodSource("findings")
    void everyBarTellsMoreWhereItIsPointedAt(Report finding) {
        assertThat(bars(page(finding), "bar"))
                .allSatisfy(bar -> assertThat(bar.getAttribute("title")).isNotBlank());
    }

    @Test
    void namesAreTextWhateverTheyAre() {
        Document page = page(Reports.overlap(HOSTILE, "holder-1"));

        assertThat(texts(page, "script", "")).isEmpty();
        assertThat(texts(page, "div", "bar")).anyMatch(text -> text.contains("<script>alert('x')</script>&\""));
    }

    @Test
    void thePageFollowsTheViewersSettingAndPrints() {
        assertThat(Timeline.html(Reports.good()))
                .contains(
                        "prefers-color-scheme: dark", "@media print", "color-scheme: light dark", "width=device-width");
    }

    @Test
    void theSameFindingGivesTheSamePage() {
        assertThat(Timeline.html(Reports.busy(40))).isEqualTo(Timeline.html(Reports.busy(40)));
    }

    @Test
    void theInvariantTheSentenceAndThePlanComeFirst() {
        Report finding = Reports.overlap("holder-0", "holder-1");
        Document page = page(finding);

        assertThat(texts(page, "h1", "")).containsExactly("T2 was broken");
        assertThat(texts(page, "p", "invariant"))
                .containsExactly(finding.violation().guarantee().words());
        assertThat(texts(page, "p", "sentence").get(0))
                .startsWith(finding.violation().sentence());
        assertThat(texts(page, "td", ""))
                .contains(
                        "claim: lease 0, holder 0, duration 10 s; message fault: delay reply, after messages 1, delay 300 ms");
        assertThat(texts(page, "dd", "")).contains("yes", "1000 ppm", "30 s", "boundary, seed 4711");
        assertThat(texts(page, "pre", "")).contains(finding.command());
    }

    @Test
    void aHistoryInWhichAllWasHeldSaysSo() {
        Document page = page(Reports.good());

        assertThat(texts(page, "h1", "")).containsExactly("Every invariant held");
        assertThat(bars(page, "violation")).isEmpty();
    }

    @Test
    void everyMachineEveryLeaseAndTheDatabaseHaveLanes() {
        assertThat(texts(page(Reports.busy(40)), "div", "name"))
                .containsSubsequence("m0", "m0 calls", "m0 validity", "m0 clock", "m1", "m1 calls", "m2", "m2 clock")
                .containsSubsequence(
                        "lease-0", "lease-0 expiry", "lease-1", "lease-1 expiry", "database", "database commits");
    }

    @Test
    void theViolationIsALineAtItsInstant() {
        assertThat(bars(page(Reports.overlap("holder-0", "holder-1")), "violation"))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getTextContent()).isEqualTo("T2 broken, 11.993809311 s");
                    assertThat(line.getAttribute("id")).isEqualTo("broken");
                });
    }

    @Test
    void bothHoldersAreValidWhereTheyOverlap() {
        assertThat(texts(page(Reports.overlap("holder-0", "holder-1")), "div", "bar"))
                .contains("lease-0 holder-0 #1", "lease-0 holder-1 #2");
    }

    @Test
    void callsShowHowTheyEnded() {
        Document page = page(Reports.busy(40));

        assertThat(texts(page, "div", "yes")).contains("claim lease-0 1 s: yes #1");
        assertThat(texts(page, "div", "unknown")).contains("claim lease-1 1 s: unknown");
        assertThat(texts(page, "div", "mark")).contains("resolved: no");
    }

    @Test
    void faultsAreShownWhereTheyBefall() {
        Document page = page(Reports.busy(40));

        assertThat(texts(page, "div", "mark")).contains("request lost");
        assertThat(texts(page, "div", "fault")).contains("crash 300 ms", "fail over 400 ms", "cut off 250 ms");
        assertThat(bars(page, "asleep")).isNotEmpty();
        assertThat(bars(page, "down")).isNotEmpty();
        assertThat(bars(page, "taken-back")).isNotEmpty();
    }

    @Test
    void aLeaseShowsItsExpiryAndFromWhenOnItMayBeTaken() {
        assertThat(texts(page(Reports.overlap("holder-0", "holder-1")), "div", "bar"))
                .contains("#1 expires 12.011 s", "m1 may take #1");
    }

    @Test
    void aLongHistoryIsCutAroundItsViolationAndSaysSo() {
        Report finding = Reports.busy(900);
        int events = finding.history().events().size();
        Document page = page(finding);

        assertThat(events).isGreaterThan(Window.EVENTS_MAX);
        assertThat(texts(page, "p", "notice").get(0)).contains(" of " + events + " events");
        assertThat(bars(page, "violation")).hasSize(1);
        assertThat(bars(page, "commit")).hasSizeLessThan(1_000);
    }
}
