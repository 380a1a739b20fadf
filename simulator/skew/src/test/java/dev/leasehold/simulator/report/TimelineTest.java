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
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The picture. */
class TimelineTest {

    private static final String HOSTILE = "<script>alert('x')</script>&\"\u0001\uD800]]>";

    static List<Finding> findings() {
        return List.of(
                Findings.overlap("holder-0", "holder-1"),
                Findings.overlap(HOSTILE, "holder-1"),
                Findings.busy(40),
                Findings.busy(900),
                Findings.good());
    }

    /** The page is XML, too, so that a strict parser finds what is not closed or not escaped. */
    private static Document page(Finding finding) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(Timeline.html(finding))));
        } catch (Exception e) {
            throw new AssertionError("no XML: " + e.getMessage(), e);
        }
    }

    private static List<Element> elements(Document page, String name, String style) {
        List<Element> found = new ArrayList<>();
        NodeList all = page.getElementsByTagName(name);
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
        return elements(page, name, style).stream().map(Node::getTextContent).toList();
    }

    private static List<String> lanes(Document page) {
        NodeList names = elements(page, "div", "names").get(0).getElementsByTagName("div");
        List<String> lanes = new ArrayList<>();
        for (int i = 0; i < names.getLength(); i++) {
            lanes.add(names.item(i).getTextContent());
        }
        return lanes;
    }

    // ---- the file ----

    @ParameterizedTest
    @MethodSource("findings")
    void thePageIsWellFormedAndNeedsNothingElse(Finding finding) {
        assertThat(page(finding).getElementsByTagName("svg").getLength()).isPositive();
        assertThat(Timeline.html(finding))
                .doesNotContain("http:", "https:", "//", "<script", "<link", "<img", "@import", "src=", "javascript:")
                .doesNotContainPattern("url\\((?!#)");
    }

    @ParameterizedTest
    @MethodSource("findings")
    void allThatIsDrawnTellsMoreToWhoPointsAtIt(Finding finding) {
        Document page = page(finding);
        Element drawing =
                (Element) ((Element) page.getElementsByTagName("figure").item(0))
                        .getElementsByTagName("svg")
                        .item(0);
        NodeList groups = drawing.getElementsByTagName("g");
        assertThat(groups.getLength()).isPositive();
        for (int i = 0; i < groups.getLength(); i++) {
            assertThat(((Element) groups.item(i))
                            .getElementsByTagName("title")
                            .item(0)
                            .getTextContent())
                    .isNotBlank();
        }
    }

    @Test
    void namesAreTextWhateverTheyAre() {
        Document page = page(Findings.overlap(HOSTILE, "holder-1"));

        assertThat(page.getElementsByTagName("script").getLength()).isZero();
        assertThat(texts(page, "text", "")).anyMatch(text -> text.contains("<script>alert('x')</script>&\""));
    }

    @Test
    void thePageFollowsTheViewersSettingAndPrints() {
        assertThat(Timeline.html(Findings.good()))
                .contains(
                        "prefers-color-scheme: dark", "@media print", "color-scheme: light dark", "width=device-width");
    }

    @Test
    void theSameFindingGivesTheSamePage() {
        assertThat(Timeline.html(Findings.busy(40))).isEqualTo(Timeline.html(Findings.busy(40)));
    }

    // ---- what it says ----

    @Test
    void theTitleBlockTellsThePromiseTheSentenceAndThePlan() {
        Finding finding = Findings.overlap("holder-0", "holder-1");
        Document page = page(finding);

        assertThat(texts(page, "h1", "")).containsExactly("T2 was broken");
        assertThat(texts(page, "p", "promise"))
                .containsExactly(finding.promise().words());
        assertThat(texts(page, "p", "sentence").get(0))
                .startsWith(finding.violation().sentence());
        assertThat(texts(page, "li", ""))
                .anyMatch(line ->
                        line.contains("claim lease-0 for holder-0, 10 s message 2: the reply comes 300 ms late"));
        assertThat(texts(page, "dd", ""))
                .contains("inside the assumptions", "1000 ppm", "30 s, heartbeat 10 s", "boundary, seed 4711");
        assertThat(texts(page, "pre", "")).contains(finding.command());
    }

    @Test
    void aHistoryInWhichAllWasHeldSaysSo() {
        Document page = page(Findings.good());

        assertThat(texts(page, "h1", "")).containsExactly("All promises were held");
        assertThat(elements(page, "g", "violation"))
                .singleElement()
                .satisfies(legend -> assertThat(
                                legend.getParentNode().getParentNode().getNodeName())
                        .isEqualTo("li"));
    }

    @Test
    void everyMachineEveryLeaseAndTheDatabaseHaveLanes() {
        assertThat(lanes(page(Findings.busy(40))))
                .containsSubsequence(
                        "true time",
                        "m0",
                        "calls",
                        "believes",
                        "clock",
                        "m1",
                        "calls",
                        "believes",
                        "clock",
                        "m2",
                        "calls",
                        "believes",
                        "clock",
                        "lease-0",
                        "document",
                        "expiry",
                        "safe after",
                        "lease-1",
                        "document",
                        "expiry",
                        "database",
                        "clock doc.");
    }

    @Test
    void theViolationIsALineThroughAllLanesAtItsInstant() {
        Document page = page(Findings.overlap("holder-0", "holder-1"));
        Element violation = elements(page, "g", "violation").get(0);
        Element drawing = (Element) violation.getParentNode();

        Element line = (Element) violation.getElementsByTagName("path").item(0);
        assertThat(line.getAttribute("d")).endsWith(" 0V" + drawing.getAttribute("height"));
        assertThat(violation.getElementsByTagName("text").item(0).getTextContent())
                .isEqualTo("T2 broken, 11.993809311 s");
        assertThat(elements(page, "g", "clash")).hasSize(2);
    }

    @Test
    void callsShowHowTheyEnded() {
        Document page = page(Findings.busy(40));

        assertThat(texts(page, "text", "")).anyMatch(text -> text.endsWith("claim lease-1 1 s: unknown, then no"));
        assertThat(elements(page, "g", "never-returned")).hasSizeGreaterThan(1);
        assertThat(elements(page, "g", "unknown")).hasSizeGreaterThan(1);
    }

    @Test
    void faultsAreShownWhereTheyBefall() {
        Document page = page(Findings.busy(40));

        assertThat(texts(page, "text", "")).contains("request lost", "crash 300 ms", "no primary");
        assertThat(elements(page, "rect", "asleep")).hasSizeGreaterThan(1);
        assertThat(elements(page, "rect", "cut")).hasSizeGreaterThan(1);
        assertThat(elements(page, "rect", "down")).hasSizeGreaterThan(1);
        assertThat(elements(page, "g", "taken-back")).hasSizeGreaterThan(1);
        assertThat(elements(page, "g", "gone")).isNotEmpty();
    }

    @Test
    void expiryAndSafeAfterStandAtTheirTrueTimes() {
        Document page = page(Findings.overlap("holder-0", "holder-1"));

        assertThat(texts(page, "title", ""))
                .anyMatch(tip -> tip.endsWith("expires on the clock of m0 at 12.01130951 s of true time"));
        assertThat(texts(page, "title", ""))
                .anyMatch(tip -> tip.equals(
                        "m1 was told at 2.501 s: lease-0 shown held by holder-0 #1, safe after 11.99130931 s"));
    }

    // ---- what it leaves out ----

    @Test
    void aLongHistoryIsCutAroundItsViolationAndSaysSo() {
        Finding finding = Findings.busy(900);
        int events = finding.history().events().size();
        Document page = page(finding);

        assertThat(events).isGreaterThan(Window.EVENTS_MAX);
        assertThat(texts(page, "p", "notice").get(0))
                .startsWith("The drawing is cut: it shows 3000 of " + events + " events");
        assertThat(texts(page, "text", "")).anyMatch(text -> text.startsWith("G3 broken"));
        assertThat(elements(page, "g", "commit")).hasSizeLessThan(1_000);
    }

    @Test
    void whatComesAfterTheHealingIsLeftOutIfThePromiseWasBrokenBefore() {
        assertThat(texts(page(Findings.overlap("holder-0", "holder-1")), "p", "notice"))
                .containsExactly(
                        "The drawing ends where the healing begins, at 60 s; what comes after that is in events.txt.");
        assertThat(texts(page(Findings.good()), "p", "notice")).containsExactly("");
    }
}
