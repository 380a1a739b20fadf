package dev.leasehold.operator.serve;

import dev.leasehold.operator.serve.Selection.Show;
import dev.leasehold.operator.serve.Selection.Sort;
import dev.leasehold.operator.view.DisplayText;
import dev.leasehold.operator.view.EventRow;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.WriterRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What several pages have in common. */
final class Parts {

    private static final int UNIQUE_SHOWN = 6;
    private static final int EVENTS_SHOWN = 50;
    private static final int LINKS_SHOWN = 5;

    private Parts() {}

    static void state(Html html, Observer observer) {
        String trouble = observer.trouble(Instant.now());
        html.raw("<p id=\"state\" role=\"status\" class=\"")
                .raw(trouble == null ? "well" : "trouble")
                .raw("\">");
        if (trouble == null) {
            html.raw(observer.latest().takenAt() == null ? "Looking for the first time." : "Live.");
        } else {
            html.text(trouble);
        }
        html.raw("</p>");
    }

    static void back(Html html, Observer observer) {
        html.raw("<p class=\"back\">")
                .link("/?ns=" + Selection.encoded(observer.namespace()), "All leases of " + observer.namespace())
                .raw("</p>");
    }

    static void status(Html html, LeaseRow lease) {
        html.pill(lease.shownStatus());
        if (lease.isBlocked()) {
            html.raw(" ").pill("blocked");
        }
    }

    static void until(Html html, NamespaceView latest, LeaseRow lease, String unless) {
        if (lease.latestExpiry() == null) {
            html.text(null);
            return;
        }
        Instant until = Instant.parse(lease.latestExpiry());
        html.time(until).raw(unless);
        Duration span = latest.spans().get(lease.name());
        if (span != null && !span.isNegative() && !span.isZero()) {
            html.bar(until, span);
        }
    }

    static void sign(Html html, WriterRow writer) {
        html.pill(writer.sign());
        if (writer.problem() != null) {
            html.raw(" ").text(writer.problem());
        } else if (writer.seenAt() != null && !writer.sign().equals(WriterRow.CLOSED)) {
            html.raw(writer.sign().equals(WriterRow.ALIVE) ? " moved " : " unchanged, seen first ")
                    .time(Instant.parse(writer.seenAt()));
            if (writer.latestEnd() != null && !writer.sign().equals(WriterRow.ALIVE)) {
                html.raw("; others may end its session ").time(Instant.parse(writer.latestEnd()));
            }
        }
    }

    static void clock(Html html, WriterRow writer) {
        html.raw(writer.isClockAhead() ? "<span class=\"warn\">" : "<span>")
                .text(writer.behindMillisMax() == null ? null : writer.clockInWords())
                .raw("</span>");
    }

    static void holds(Html html, String namespace, WriterRow writer) {
        List<String> leases = writer.holds();
        if (leases.isEmpty()) {
            html.raw("nothing");
            return;
        }
        for (int i = 0; i < Math.min(LINKS_SHOWN, leases.size()); i++) {
            html.raw(i == 0 ? "" : ", ").link(leaseLink(namespace, leases.get(i)), leases.get(i));
        }
        if (leases.size() > LINKS_SHOWN) {
            html.raw(", ")
                    .link(
                            new Selection(namespace, writer.writer(), Show.HELD, Sort.NAME, false, 1).link(),
                            "all " + leases.size());
        }
    }

    /** The part that makes it unique is long; its beginning tells two engines of one process apart. */
    static String shortened(WriterRow writer) {
        String unique = writer.writer().substring(writer.writer().lastIndexOf('#') + 1);
        return writer.instance() + " #" + unique.substring(0, Math.min(UNIQUE_SHOWN, unique.length()));
    }

    static @Nullable String duration(@Nullable Long millis) {
        return millis == null ? null : DisplayText.of(Duration.ofMillis(millis));
    }

    static void events(Html html, Observer observer, List<EventRow> events) {
        html.raw("<section id=\"timeline\"><h2>Events</h2>");
        String trouble = observer.timeline().trouble();
        if (trouble != null) {
            html.raw("<p class=\"trouble\">").text(trouble).raw("</p>");
        }
        if (events.isEmpty()) {
            html.raw("<p class=\"note\">None since this tool was started.</p></section>");
            return;
        }
        html.raw("<ol>");
        events.stream().limit(EVENTS_SHOWN).forEach(event -> {
            html.raw("<li class=\"")
                    .value(event.event())
                    .raw("\">")
                    .time(Instant.parse(event.heardAt()))
                    .raw(" ");
            if (event.lease() == null) {
                html.text(event.inWords());
            } else {
                html.link(leaseLink(observer.namespace(), event.lease()), event.lease())
                        .text(event.inWords().substring(event.lease().length()));
            }
            html.raw("</li>");
        });
        html.raw("</ol>");
        if (events.size() > EVENTS_SHOWN) {
            html.raw("<p class=\"note\">" + (events.size() - EVENTS_SHOWN) + " older ones are not shown here.</p>");
        }
        html.raw("</section>");
    }

    static void begin(Html html, String what) {
        html.raw("<div><dt>").text(what).raw("</dt><dd>");
    }

    static void end(Html html) {
        html.raw("</dd></div>");
    }

    static void entry(Html html, String what, @Nullable Object value) {
        if (value != null) {
            begin(html, what);
            html.text(value);
            end(html);
        }
    }

    static void hidden(Html html, String name, String value) {
        html.raw("<input type=\"hidden\" name=\"" + name + "\" value=\"")
                .value(value)
                .raw("\">");
    }

    static String leaseLink(String namespace, String lease) {
        return "/lease?ns=" + Selection.encoded(namespace) + "&name=" + Selection.encoded(lease);
    }

    static String engineLink(String namespace, String writer) {
        return "/engine?ns=" + Selection.encoded(namespace) + "&key=" + Selection.encoded(writer);
    }
}
