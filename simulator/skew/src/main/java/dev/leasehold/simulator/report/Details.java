package dev.leasehold.simulator.report;

import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.history.Event;
import java.util.List;

/** Below the drawing: how to repeat it, all that was broken, and the events around the violation. */
final class Details {

    private static final int BEFORE = 60;
    private static final int AFTER = 12;

    private final Finding finding;
    private final Window window;

    Details(Finding finding, Window window) {
        this.finding = finding;
        this.window = window;
    }

    Markup markup() {
        Markup details = new Markup().open("section", "class", "details");
        details.element("h2", "Repeat it").element("pre", finding.command());
        if (finding.verdict().violations().size() > 1) {
            violations(details);
        }
        events(details);
        return details.close("section");
    }

    private void violations(Markup details) {
        details.element("h2", "All that was broken").open("ol", "class", "commands");
        for (Violation violation : finding.verdict().violations()) {
            details.open("li")
                    .element("span", TimeWords.instant(violation.atNanos()), "class", "when")
                    .element("span", violation.promise().name(), "class", "where")
                    .element("span", violation.sentence())
                    .close("li");
        }
        details.close("ol");
    }

    private void events(Markup details) {
        List<Event> events = finding.history().events();
        Violation violation = finding.violation();
        int center = window.fromIndex();
        while (violation != null && center < events.size() && events.get(center).atNanos() <= violation.atNanos()) {
            center++;
        }
        int from = Math.max(0, violation == null ? center : center - BEFORE);
        int to = Math.min(events.size(), violation == null ? center + BEFORE : center + AFTER);
        details.open("details")
                .element(
                        "summary",
                        "Events " + from + " to " + (to - 1) + " of " + events.size()
                                + " as text; all of them are in events.txt")
                .element("pre", EventText.of(finding.history(), from, to))
                .close("details");
    }
}
