package dev.leasehold.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.leasehold.bench.measure.Made;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.row.Heading;
import dev.leasehold.bench.row.Outcome;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ChartTest {

    private static Optional<Chart> chart(Series... series) {
        return Chart.of(new Outcome(
                new Heading("made-up", "a < b & c", List.of(Quantity.P50), Quantity.P50, "", List.of()),
                Made.result(series),
                Map.of()));
    }

    private static Document parse(Chart chart) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(chart.svg().getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void everyEntrantHasAPointThatLiesWhereItsMedianIs() throws Exception {
        Document svg = parse(chart(
                        Made.series("<ours>", Role.OURS, Quantity.P50, 1e6, 2e6, 3e6),
                        Made.series("bare", Role.BARE, Quantity.P50, 20e6, 20e6, 20e6))
                .orElseThrow());

        Element ours = (Element) svg.getElementsByTagName("circle").item(0);
        Element bare = (Element) svg.getElementsByTagName("circle").item(1);
        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(2);
        assertThat(ours.getAttribute("class")).isEqualTo("ours");
        assertThat(Double.parseDouble(ours.getAttribute("cx"))).isLessThan(Double.parseDouble(bare.getAttribute("cx")));
    }

    @Test
    void namesAndTitleAreTextWhateverTheyHold() throws Exception {
        Document svg = parse(chart(
                        Made.series("<ours>", Role.OURS, Quantity.P50, 1),
                        Made.series("bare", Role.BARE, Quantity.P50, 2))
                .orElseThrow());

        assertThat(svg.getDocumentElement().getTextContent()).contains("a < b & c", "<ours>");
    }

    @Test
    void thereIsNoChartOfOneEntrantNorOfNothing() {
        assertThat(chart(Made.series("ours", Role.OURS, Quantity.P50, 1))).isEmpty();
        assertThat(chart(
                        Made.series("ours", Role.OURS, Quantity.P50, 1),
                        Made.series("zero", Role.PEER, Quantity.P50, 0),
                        Made.series("other", Role.PEER, Quantity.BYTES, 3)))
                .isEmpty();
    }

    @Test
    void equalFactorsAreEqualDistances() {
        LogAxis axis = new LogAxis(1, 1_000, 500);

        assertThat(axis.at(10) - axis.at(1)).isCloseTo(axis.at(1_000) - axis.at(100), within(1e-9));
        assertThat(axis.at(1)).isPositive();
        assertThat(axis.at(1_000)).isLessThan(500);
    }

    @Test
    void ticksAreRoundAndAreMoreWhereTheAxisIsShort() {
        assertThat(new LogAxis(1, 1_000, 500).ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0);
        assertThat(new LogAxis(2, 9, 500).ticks()).containsExactly(2.0, 5.0, 10.0);
    }

    @Test
    void whatHasNoLogarithmIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogAxis(0, 1, 500))
                .withMessageContaining("0.0");
        assertThatIllegalArgumentException().isThrownBy(() -> new LogAxis(2, 1, 500));
    }
}
