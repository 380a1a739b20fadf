package dev.leasehold.simulator.report;

import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.Components;
import dev.leasehold.simulator.plan.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * One HTML file about a history, without scripts, in light or dark as the viewer has it: what was broken, the plan, a drawing in which true
 * time runs to the right, and how to repeat it.
 */
final class Timeline {

    private static final int COMMANDS_SHOWN = 14;

    private final Report report;

    private Timeline(Report report) {
        this.report = report;
    }

    /** The whole file. */
    static String html(Report report) {
        return new Timeline(report).html();
    }

    private String html() {
        Markup page = Markup.page(report.title(), style()).element("h1", report.title());
        violation(page);
        facts(page);
        commands(page);
        page.element("h2", "What happened");
        new TimelineDrawing(report).draw(page);
        page.element("h2", "Repeat it").element("pre", report.command());
        violations(page);
        return page.endOfPage();
    }

    private static String style() {
        try (InputStream in = Timeline.class.getResourceAsStream("timeline.css")) {
            return new String(Objects.requireNonNull(in, "timeline.css").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void violation(Markup page) {
        Violation violation = report.violation();
        if (violation != null) {
            page.element("p", violation.guarantee().words(), "class", "invariant");
            page.open("p", "class", "sentence")
                    .text(violation.sentence() + " ")
                    .element("a", "Show it", "href", "#broken")
                    .close("p");
        }
    }

    /** Under which conditions it was. */
    private void facts(Markup page) {
        Plan plan = report.history().plan();
        page.open("dl", "class", "facts");
        Mutant mutant = report.mutant();
        if (mutant != null) {
            fact(page, "mutant", mutant.name() + ": " + mutant.what());
        }
        fact(page, "plan", plan.profile() + ", seed " + plan.seed());
        fact(
                page,
                "history",
                report.history().events().size() + " events, "
                        + report.history().steps() + " steps");
        for (RecordComponent part : Components.of(plan.setting())) {
            Object value = Components.get(plan.setting(), part);
            if (value != null) {
                String text = value instanceof Record record
                        ? RecordText.components(record)
                        : RecordText.component(part.getName(), value);
                fact(page, RecordText.words(part.getName()), text.isEmpty() ? "perfect" : text);
            }
        }
        page.close("dl");
    }

    private static void fact(Markup page, String name, String value) {
        page.open("div").element("dt", name).element("dd", value).close("div");
    }

    private void commands(Markup page) {
        List<Command> commands = report.history().plan().commands();
        String shrunk = report.shrunk() ? ", shrunk" : "";
        page.element("h2", "The plan" + shrunk + ": " + commands.size() + " commands");
        if (commands.isEmpty()) {
            page.element("p", "The end of every history is enough, at which the last machine acquires each lease.");
        }
        boolean folded = commands.size() > COMMANDS_SHOWN;
        if (folded) {
            page.open("details").element("summary", "Show them");
        }
        page.open("table");
        for (Command command : commands) {
            String fault = command.fault() == null ? "" : "; " + RecordText.of(command.fault());
            String text = RecordText.of((Record) command.action()) + fault;
            page.row("td", List.of(TimeText.instant(command.atNanos()), "m" + command.machine(), text));
        }
        page.close("table");
        if (folded) {
            page.close("details");
        }
    }

    private void violations(Markup page) {
        if (report.verdict().violations().size() > 1) {
            page.element("h2", "All that was broken").open("table");
            for (Violation violation : report.verdict().violations()) {
                page.row(
                        "td",
                        List.of(
                                TimeText.instant(violation.atNanos()),
                                violation.guarantee().name(),
                                violation.sentence()));
            }
            page.close("table");
        }
    }
}
