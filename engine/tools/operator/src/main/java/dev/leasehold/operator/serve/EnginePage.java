package dev.leasehold.operator.serve;

import dev.leasehold.operator.view.WriterRow;
import java.util.List;

/** The page of one engine. */
final class EnginePage {

    private EnginePage() {}

    static Pages.Content of(Site site, String key) {
        Observer observer = site.observer();
        Html html = new Html();
        Parts.back(html, observer);
        Parts.state(html, observer);
        List<WriterRow> found = observer.latest().writers().stream()
                .filter(writer -> writer.writer().equals(key))
                .toList();
        if (found.isEmpty()) {
            html.raw(
                    "<p class=\"trouble\">There was no entry of this engine at the last look: it was closed, or others have ended"
                            + " its session.</p>");
        }
        for (WriterRow writer : found) {
            html.raw("<dl>");
            Parts.entry(html, "Engine", writer.writer());
            Parts.entry(html, "Partition", writer.partition());
            Parts.begin(html, "Sign of life");
            Parts.sign(html, writer);
            Parts.end(html);
            Parts.entry(html, "Session", Parts.duration(writer.sessionMillis()));
            Parts.begin(html, "Clock");
            Parts.clock(html, writer);
            Parts.end(html);
            Parts.entry(html, "Drift bound", writer.driftPpm() == null ? null : writer.driftPpm() + " ppm");
            Parts.begin(html, "Holds");
            Parts.holds(html, observer.namespace(), writer);
            Parts.end(html);
            html.raw("</dl>");
        }
        Parts.events(html, observer, observer.timeline().of(null, key));
        return new Pages.Content("Engine " + key, observer.namespace(), html.toString());
    }
}
