package dev.leasehold.operator.serve;

import dev.leasehold.operator.view.EventRow;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.Words;
import dev.leasehold.operator.view.WriterRow;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is shown, as HTML. */
final class Pages {

    private static final int UNIQUE_SHOWN = 6;

    private final Observer observer;
    private final boolean allowsOrders;
    private final String token;

    /**
     * Of what an observer sees.
     *
     * @param token stands in every form, and is known to nobody who did not get the page
     */
    Pages(Observer observer, boolean allowsOrders, String token) {
        this.observer = observer;
        this.allowsOrders = allowsOrders;
        this.token = token;
    }

    /** The page with everything. */
    String overview() {
        return page(
                "Leases of " + observer.namespace(),
                new Html()
                        .raw("<label class=\"filter\">Show only <input id=\"filter\" type=\"search\""
                                + " placeholder=\"lease, holder or engine\"></label>")
                        .raw("<div id=\"board\">")
                        .raw(board())
                        .raw("</div>"));
    }

    /** The part of it that changes. */
    String board() {
        Sight sight = observer.sight();
        Instant now = Instant.now();
        Html html = new Html();
        state(html, sight, now);
        leases(html, sight, now);
        writers(html, sight, now);
        waiters(html);
        timeline(html);
        return html.toString();
    }

    private static void state(Html html, Sight sight, Instant now) {
        html.raw("<p id=\"state\" class=\"")
                .raw(sight.trouble() == null ? "well" : "trouble")
                .raw("\">");
        Instant takenAt = sight.takenAt();
        html.text(takenAt == null ? "Nothing was seen yet." : "Seen " + Words.of(Words.since(takenAt, now)) + " ago.");
        if (sight.trouble() != null) {
            html.raw(" ").text(sight.trouble());
        }
        html.raw("</p>");
    }

    private static void leases(Html html, Sight sight, Instant now) {
        long held = sight.leases().stream().filter(LeaseRow::isHeld).count();
        html.raw("<section id=\"leases\"><h2>Leases</h2><p class=\"note\">")
                .text(held + " of " + sight.leases().size() + " are held.")
                .raw("</p><table><thead><tr><th>Lease</th><th>Status</th><th>Holder</th><th>Token</th><th>Since</th>"
                        + "<th>Until, at the latest</th><th>Pins</th><th>Comment</th></tr></thead><tbody>");
        for (LeaseRow lease : sight.leases()) {
            html.raw("<tr data-text=\"")
                    .text(lease.name() + " " + lease.holder() + " " + lease.writer())
                    .raw("\">")
                    .openCell("Lease", false)
                    .raw("<a href=\"")
                    .raw(link(lease.name()))
                    .raw("\">")
                    .text(lease.name())
                    .raw("</a>")
                    .closeCell()
                    .openCell("Status", false)
                    .raw("<span class=\"status ")
                    .raw(lease.status())
                    .raw("\">")
                    .text(lease.status())
                    .raw("</span>")
                    .closeCell()
                    .cell("Holder", lease.holder())
                    .cell("Token", lease.token())
                    .cell("Since", lease.isHeld() ? lease.sinceInWords() : null)
                    .cell("Until", lease.latestExpiry() == null ? null : lease.untilInWords(now))
                    .cell("Pins", lease.pins().isEmpty() ? null : String.join(", ", lease.pins()))
                    .cell("Comment", lease.problem() == null ? lease.comment() : lease.problem())
                    .raw("</tr>");
        }
        html.raw("</tbody></table></section>");
    }

    private static void writers(Html html, Sight sight, Instant now) {
        html.raw(
                "<section id=\"writers\"><h2>Engines and their sessions</h2><table><thead><tr><th>Engine</th><th>Sign of life</th>"
                        + "<th>Session</th><th>Clock behind</th><th>Holds</th></tr></thead><tbody>");
        for (WriterRow writer : sight.writers()) {
            html.raw("<tr data-text=\"")
                    .text(writer.writer())
                    .raw("\">")
                    .cell("Engine", shortened(writer))
                    .openCell("Sign of life", false)
                    .raw("<span class=\"status ")
                    .raw(writer.sign())
                    .raw("\">")
                    .text(writer.sign())
                    .raw("</span> ")
                    .text(afterTheSign(writer, now))
                    .closeCell()
                    .cell("Session", duration(writer.sessionMillis()))
                    .cell(
                            "Clock behind",
                            writer.behindMillisMax() == null ? null : "at most " + duration(writer.behindMillisMax()))
                    .cell("Holds", holds(writer))
                    .raw("</tr>");
        }
        html.raw(
                "</tbody></table><p class=\"note\">An engine lives if its stamp was seen to move. No clocks are compared.</p></section>");
    }

    /** The part that makes it unique is long; its beginning tells two engines of one process apart. */
    private static String shortened(WriterRow writer) {
        String unique = writer.writer().substring(writer.writer().lastIndexOf('#') + 1);
        return writer.instance() + " #" + unique.substring(0, Math.min(UNIQUE_SHOWN, unique.length()));
    }

    private static String afterTheSign(WriterRow writer, Instant now) {
        String words = writer.signInWords(now);
        String sign = writer.sign() + ": ";
        return words.startsWith(sign) ? words.substring(sign.length()) : words;
    }

    private static @Nullable String duration(@Nullable Long millis) {
        return millis == null ? null : Words.of(Duration.ofMillis(millis));
    }

    private static String holds(WriterRow writer) {
        int count = writer.holds().size();
        return count == 0 ? "nothing" : count <= 3 ? String.join(", ", writer.holds()) : count + " leases";
    }

    private static void waiters(Html html) {
        html.raw(
                "<section id=\"waiters\"><h2>Waiters</h2><p>Who waits for a lease is not in the database: only the process in which it waits"
                        + " knows. Ask the service: the meter <code>leasehold.waiters</code> and <code>engine.health().waiters()</code>"
                        + " count them.</p></section>");
    }

    private void timeline(Html html) {
        Timeline timeline = observer.timeline();
        html.raw("<section id=\"timeline\"><h2>Since this was opened</h2>");
        String trouble = timeline.trouble();
        if (trouble != null) {
            html.raw("<p class=\"trouble\">").text(trouble).raw("</p>");
        }
        html.raw("<ol>");
        for (EventRow event : timeline.newestFirst()) {
            html.raw("<li class=\"")
                    .raw(event.event())
                    .raw("\" data-text=\"")
                    .text(event.lease() == null ? event.writer() : event.lease() + " " + event.holder())
                    .raw("\"><time>")
                    .text(Words.of(Instant.parse(event.heardAt())))
                    .raw("</time> ")
                    .text(event.inWords())
                    .raw("</li>");
        }
        html.raw("</ol></section>");
    }

    /** One lease, with the orders that may be given for it. */
    String lease(String name, @Nullable String result) {
        Instant now = Instant.now();
        Optional<LeaseRow> found = observer.sight().leases().stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst();
        Html html = new Html().raw("<p><a href=\"/\">All leases</a></p>");
        if (result != null) {
            html.raw("<p id=\"result\">").text(result).raw("</p>");
        }
        if (found.isEmpty()) {
            html.raw("<p id=\"state\" class=\"trouble\">")
                    .text("There was no lease of this name at the last look.")
                    .raw("</p>");
            return page("Lease " + name, html);
        }
        LeaseRow lease = found.get();
        html.raw("<dl id=\"lease\">");
        entry(html, "Status", lease.status());
        entry(html, "Holder", lease.holder());
        entry(html, "Token", lease.token());
        entry(html, "Since", lease.sinceInWords() + ", by the clock of the engine's machine");
        entry(html, "Until, at the latest", lease.untilInWords(now));
        entry(html, "Kept by", lease.keptBy());
        entry(html, "Engine", engine(lease, now));
        entry(html, "Pins", lease.pins().isEmpty() ? null : String.join(", ", lease.pins()));
        entry(html, "Comment", lease.comment());
        entry(
                html,
                "Gates",
                lease.gates() + " transactions"
                        + (lease.stripes() == 0 ? "" : ", and more on " + lease.stripes() + " stripes"));
        entry(html, "Problem", lease.problem());
        html.raw("</dl>");
        if (allowsOrders) {
            orders(html, lease);
        }
        return page("Lease " + name, html);
    }

    private @Nullable String engine(LeaseRow lease, Instant now) {
        return observer.sight().writers().stream()
                .filter(writer -> writer.writer().equals(lease.writer()))
                .findFirst()
                .map(writer -> writer.writer() + ", " + writer.signInWords(now))
                .orElse(lease.writer());
    }

    private static void entry(Html html, String what, @Nullable Object value) {
        if (value != null) {
            html.raw("<div><dt>").text(what).raw("</dt><dd>").text(value).raw("</dd></div>");
        }
    }

    private void orders(Html html, LeaseRow lease) {
        html.raw("<section id=\"orders\"><h2>Orders</h2>");
        form(html, "pin", lease.name())
                .raw("<label>Who wants that nobody takes it <input name=\"entity\" required maxlength=\"512\"></label>"
                        + "<button>Pin</button></form>");
        for (String entity : lease.pins()) {
            form(html, "unpin", lease.name())
                    .raw("<input type=\"hidden\" name=\"entity\" value=\"")
                    .text(entity)
                    .raw("\"><button>Take away the pin of ")
                    .text(entity)
                    .raw("</button></form>");
        }
        if (lease.isHeld()) {
            form(html, "force-expire", lease.name())
                    .raw("<input type=\"hidden\" name=\"tenure\" value=\"")
                    .text(lease.token())
                    .raw(
                            "\"><p>Its transactions are refused at once. Until its engine has noticed, the holder believes that it holds the"
                                    + " lease, and goes on outside the database.</p>"
                                    + "<label>Why <input name=\"reason\" required maxlength=\"512\"></label>"
                                    + "<label class=\"sure\"><input type=\"checkbox\" required> ")
                    .text("I want to end the tenure of " + lease.holder() + " under token " + lease.token())
                    .raw("</label><button class=\"danger\">End this tenure</button></form>");
        }
        html.raw("</section>");
    }

    private Html form(Html html, String order, String lease) {
        return html.raw("<form method=\"post\" action=\"/orders/" + order
                        + "\"><input type=\"hidden\" name=\"token\" value=\"")
                .text(token)
                .raw("\"><input type=\"hidden\" name=\"lease\" value=\"")
                .text(lease)
                .raw("\">");
    }

    static String link(String lease) {
        return "/lease?name=" + URLEncoder.encode(lease, StandardCharsets.UTF_8);
    }

    private static String page(String title, Html content) {
        return new Html()
                .raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                        + "<meta name=\"color-scheme\" content=\"light dark\"><title>")
                .text(title)
                .raw("</title><link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/style.css\">"
                        + "<script src=\"/page.js\" defer></script></head><body><header><h1>")
                .text(title)
                .raw("</h1></header><main>")
                .raw(content.toString())
                .raw("</main></body></html>")
                .toString();
    }
}
