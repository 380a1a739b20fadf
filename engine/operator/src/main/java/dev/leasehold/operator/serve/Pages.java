package dev.leasehold.operator.serve;

import dev.leasehold.operator.doctor.Finding;
import dev.leasehold.operator.doctor.Finding.Severity;
import dev.leasehold.operator.serve.Selection.Show;
import dev.leasehold.operator.serve.Selection.Sort;
import dev.leasehold.operator.view.EventRow;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.Words;
import dev.leasehold.operator.view.WriterRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is shown, as HTML. Each page is a frame around a board, which the script of the page fetches again and changes in place. No board has
 * a distance from now in it: so it stays the same, byte by byte, as long as nothing has happened.
 */
final class Pages {

    private static final int UNIQUE_SHOWN = 6;
    private static final int EVENTS_SHOWN = 50;
    private static final int LINKS_SHOWN = 5;

    private static final List<String> ENGINES_IN_ORDER = List.of(
            WriterRow.CORRUPT, WriterRow.OVER, WriterRow.SILENT, WriterRow.ALIVE, WriterRow.QUIET, WriterRow.CLOSED);

    private final Map<String, Site> sites;
    private final String token;

    /**
     * Of what observers see.
     *
     * @param sites by namespace, in the order in which they are shown
     * @param token stands in every form, and is known to nobody who did not get the page
     */
    Pages(Map<String, Site> sites, String token) {
        this.sites = sites;
        this.token = token;
    }

    /** A board, and what stands around it. */
    record Content(String title, String namespace, String board) {}

    // ---- all leases ----

    Content overview(Site site, Selection selection) {
        Observer observer = site.observer();
        Sight sight = observer.sight();
        Html html = new Html();
        state(html, observer);
        tiles(html, observer, selection);
        trouble(html, observer);
        leases(html, sight, selection);
        engines(html, observer.namespace(), sight);
        events(html, observer, observer.timeline().newestFirst());
        notices(html, observer.examined());
        return new Content("Leases of " + observer.namespace(), observer.namespace(), html.toString());
    }

    private static void state(Html html, Observer observer) {
        String trouble = observer.trouble(Instant.now());
        html.raw("<p id=\"state\" role=\"status\" class=\"")
                .raw(trouble == null ? "well" : "trouble")
                .raw("\">");
        if (trouble == null) {
            html.raw(observer.sight().takenAt() == null ? "Looking for the first time." : "Live.");
        } else {
            html.text(trouble);
        }
        html.raw("</p>");
    }

    private static void tiles(Html html, Observer observer, Selection selection) {
        Sight sight = observer.sight();
        html.raw("<nav id=\"tiles\" aria-label=\"Leases by state\">");
        for (Show show : Show.values()) {
            long count = show.count(sight.leases());
            html.raw("<a id=\"tile-" + show.word() + "\" class=\"tile " + show.word() + (count == 0 ? " none" : "")
                            + "\" data-in-place href=\"")
                    .value(selection.showing(show).link())
                    .raw("\"" + (show == selection.show() ? " aria-current=\"true\"" : "") + "><b>" + count
                            + "</b> <span>" + show.word() + "</span></a>");
        }
        long alive = count(sight, WriterRow.ALIVE);
        long gone = count(sight, WriterRow.OVER) + count(sight, WriterRow.CORRUPT);
        html.raw("<a id=\"tile-engines\" class=\"tile" + (gone > 0 ? " over" : "") + "\" href=\"#engines\"><b>" + alive
                + "<small>/" + sight.writers().size() + "</small></b> <span>engines alive</span></a>");
        long problems = observer.examined().of(Severity.PROBLEM).size();
        html.raw("<a id=\"tile-doctor\" class=\"tile" + (problems > 0 ? " corrupt" : " none")
                + "\" href=\"#doctor\"><b>" + (observer.examined().at() == null ? "\u2013" : problems)
                + "</b> <span>problems found</span></a></nav>");
    }

    private static long count(Sight sight, String sign) {
        return sight.writers().stream()
                .filter(writer -> writer.sign().equals(sign))
                .count();
    }

    private static void trouble(Html html, Observer observer) {
        List<Finding> problems = observer.examined().of(Severity.PROBLEM);
        List<WriterRow> over = observer.sight().writers().stream()
                .filter(writer ->
                        writer.sign().equals(WriterRow.OVER) && !writer.holds().isEmpty())
                .toList();
        if (problems.isEmpty() && over.isEmpty()) {
            return;
        }
        html.raw("<section id=\"trouble\" class=\"alarm\"><h2>Trouble</h2><ul>");
        for (WriterRow writer : over) {
            html.raw("<li>Engine ")
                    .link(engineLink(observer.namespace(), writer.writer()), shortened(writer))
                    .text(" has given no sign of life for longer than its session, and has "
                            + Words.count(writer.holds().size(), "lease") + ", which any other engine may take.")
                    .raw("</li>");
        }
        problems.forEach(finding -> finding(html, finding));
        html.raw("</ul></section>");
    }

    private static void finding(Html html, Finding finding) {
        html.raw("<li><b>").text(finding.check()).raw("</b> ").text(finding.found());
        if (finding.remedy() != null) {
            html.raw("<br><span class=\"note\">").text(finding.remedy()).raw("</span>");
        }
        html.raw("</li>");
    }

    private static void notices(Html html, Sight.Examined examined) {
        List<Finding> notices = examined.of(Severity.NOTICE);
        html.raw("<section id=\"doctor\"><h2>Doctor</h2>");
        if (examined.trouble() != null) {
            html.raw("<p class=\"trouble\">").text(examined.trouble()).raw("</p>");
        }
        if (examined.at() == null) {
            html.raw("<p class=\"note\">The first examination goes on.</p></section>");
            return;
        }
        html.raw("<p class=\"note\">")
                .text(Words.count(examined.of(Severity.PROBLEM).size(), "problem") + ", "
                        + Words.count(notices.size(), "notice") + ", "
                        + examined.of(Severity.OK).size() + " in order. Looked ")
                .time(examined.at())
                .raw(".</p>");
        if (!notices.isEmpty()) {
            html.raw("<ul>");
            notices.forEach(finding -> finding(html, finding));
            html.raw("</ul>");
        }
        html.raw("</section>");
    }

    private static void leases(Html html, Sight sight, Selection selection) {
        List<LeaseRow> fitting = selection.of(sight.leases());
        html.raw("<section id=\"leases\"><div class=\"head\"><h2>Leases</h2>");
        filter(html, selection);
        html.raw("</div>");
        if (fitting.isEmpty()) {
            html.raw("<p class=\"note\">")
                    .text(
                            sight.takenAt() == null
                                    ? "Nothing was seen yet."
                                    : sight.leases().isEmpty() ? "There are no leases." : "No lease fits.")
                    .raw("</p></section>");
            return;
        }
        html.raw("<table><caption>Leases</caption><thead><tr>");
        heading(html, selection, Sort.NAME, "Lease");
        heading(html, selection, Sort.TROUBLE, "Status");
        heading(html, selection, Sort.HOLDER, "Holder");
        heading(html, selection, Sort.TOKEN, "Token");
        heading(html, selection, Sort.SINCE, "Since");
        heading(html, selection, Sort.UNTIL, "Until");
        html.raw("<th scope=\"col\">Pins</th><th scope=\"col\">Comment</th></tr></thead><tbody>");
        selection.onPage(fitting).forEach(lease -> row(html, sight, selection.namespace(), lease));
        html.raw("</tbody></table>");
        pager(html, selection, fitting.size());
        html.raw("</section>");
    }

    private static void filter(Html html, Selection selection) {
        html.raw("<form id=\"filter\" role=\"search\" method=\"get\" action=\"/\" data-in-place>");
        hidden(html, "ns", selection.namespace());
        if (selection.show() != Show.ALL) {
            hidden(html, "show", selection.show().word());
        }
        hidden(html, "sort", selection.sort().word());
        if (selection.reverse()) {
            hidden(html, "order", "down");
        }
        html.raw("<label for=\"q\">Filter</label><input id=\"q\" name=\"q\" type=\"search\" autocomplete=\"off\""
                        + " placeholder=\"lease, holder, engine, comment  ( / )\" value=\"")
                .value(selection.text())
                .raw("\"><noscript><button>Show</button></noscript></form>");
    }

    private static void heading(Html html, Selection selection, Sort sort, String title) {
        boolean sorted = selection.sort() == sort;
        html.raw("<th scope=\"col\"")
                .raw(sorted ? " aria-sort=\"" + (selection.reverse() ? "descending" : "ascending") + "\"" : "")
                .raw("><a id=\"sort-" + sort.word() + "\" data-in-place href=\"")
                .value(selection.sortedBy(sort).link())
                .raw("\">" + title + "</a></th>");
    }

    private static void row(Html html, Sight sight, String namespace, LeaseRow lease) {
        html.raw("<tr id=\"lease-")
                .value(Selection.encoded(lease.partition() + "-" + lease.name()))
                .raw("\">")
                .openCell("Lease", false)
                .link(leaseLink(namespace, lease.name()), lease.name())
                .closeCell()
                .openCell("Status", false);
        status(html, lease);
        html.closeCell().openCell("Holder", lease.holder() == null).text(lease.holder());
        if (lease.isHeld() && lease.writer() != null) {
            html.raw(" ");
            sight.writers().stream()
                    .filter(writer -> writer.writer().equals(lease.writer()))
                    .findFirst()
                    .ifPresent(writer -> html.raw("<small>on ")
                            .link(engineLink(namespace, writer.writer()), shortened(writer))
                            .raw("</small>"));
        }
        html.closeCell().cell("Token", lease.token()).openCell("Since", !lease.isHeld());
        if (lease.isHeld() && lease.since() != null) {
            html.time(Instant.parse(lease.since()));
        } else {
            html.text(null);
        }
        html.closeCell().openCell("Until", lease.latestExpiry() == null);
        until(html, sight, lease, "");
        html.closeCell()
                .cell("Pins", lease.pins().isEmpty() ? null : String.join(", ", lease.pins()))
                .cell("Comment", lease.problem() == null ? lease.comment() : lease.problem())
                .raw("</tr>");
    }

    private static void status(Html html, LeaseRow lease) {
        html.pill(lease.shownStatus());
        if (lease.isBlocked()) {
            html.raw(" ").pill("blocked");
        }
    }

    private static void until(Html html, Sight sight, LeaseRow lease, String unless) {
        if (lease.latestExpiry() == null) {
            html.text(null);
            return;
        }
        Instant until = Instant.parse(lease.latestExpiry());
        html.time(until).raw(unless);
        Duration span = sight.spans().get(lease.name());
        if (span != null && !span.isNegative() && !span.isZero()) {
            html.bar(until, span);
        }
    }

    private static void pager(Html html, Selection selection, int fitting) {
        int pages = Selection.pages(fitting);
        int page = selection.pageOf(fitting);
        int from = (page - 1) * Selection.PAGE_SIZE;
        html.raw("<nav class=\"pager\" aria-label=\"Pages of leases\"><span>" + (from + 1) + " to "
                + Math.min(fitting, from + Selection.PAGE_SIZE) + " of " + fitting + "</span>");
        if (pages > 1) {
            turn(html, selection, "first", 1, page > 1);
            turn(html, selection, "previous", page - 1, page > 1);
            turn(html, selection, "next", page + 1, page < pages);
            turn(html, selection, "last", pages, page < pages);
        }
        html.raw("</nav>");
    }

    private static void turn(Html html, Selection selection, String word, int page, boolean there) {
        if (there) {
            html.raw("<a id=\"page-" + word + "\" data-in-place href=\"")
                    .value(selection.onPage(page).link())
                    .raw("\">" + word + "</a>");
        } else {
            html.raw("<span class=\"off\">" + word + "</span>");
        }
    }

    // ---- engines ----

    private static void engines(Html html, String namespace, Sight sight) {
        html.raw("<section id=\"engines\"><h2>Engines and their sessions</h2>");
        if (sight.writers().isEmpty()) {
            html.raw("<p class=\"note\">No engine has written here.</p></section>");
            return;
        }
        html.raw(
                "<table><caption>Engines</caption><thead><tr><th scope=\"col\">Engine</th><th scope=\"col\">Sign of life</th>"
                        + "<th scope=\"col\">Session</th><th scope=\"col\">Clock</th><th scope=\"col\">Holds</th></tr></thead><tbody>");
        sight.writers().stream()
                .sorted(Comparator.comparingInt(writer -> ENGINES_IN_ORDER.indexOf(writer.sign())))
                .forEach(writer -> engine(html, namespace, writer));
        html.raw(
                "</tbody></table><p class=\"note\">An engine lives if its stamp was seen to move. No clocks are compared.</p>"
                        + "</section>");
    }

    private static void engine(Html html, String namespace, WriterRow writer) {
        html.raw("<tr id=\"engine-")
                .value(Selection.encoded(writer.partition() + "-" + writer.writer()))
                .raw("\">")
                .openCell("Engine", false)
                .link(engineLink(namespace, writer.writer()), shortened(writer))
                .closeCell()
                .openCell("Sign of life", false);
        sign(html, writer);
        html.closeCell()
                .cell("Session", duration(writer.sessionMillis()))
                .openCell("Clock", writer.behindMillisMax() == null);
        clock(html, writer);
        html.closeCell().openCell("Holds", false);
        holds(html, namespace, writer);
        html.closeCell().raw("</tr>");
    }

    private static void clock(Html html, WriterRow writer) {
        html.raw(writer.isClockAhead() ? "<span class=\"warn\">" : "<span>")
                .text(writer.behindMillisMax() == null ? null : writer.clockInWords())
                .raw("</span>");
    }

    private static void sign(Html html, WriterRow writer) {
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

    private static void holds(Html html, String namespace, WriterRow writer) {
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
    private static String shortened(WriterRow writer) {
        String unique = writer.writer().substring(writer.writer().lastIndexOf('#') + 1);
        return writer.instance() + " #" + unique.substring(0, Math.min(UNIQUE_SHOWN, unique.length()));
    }

    private static @Nullable String duration(@Nullable Long millis) {
        return millis == null ? null : Words.of(Duration.ofMillis(millis));
    }

    // ---- events ----

    private static void events(Html html, Observer observer, List<EventRow> events) {
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

    // ---- one lease ----

    Content lease(Site site, String name, @Nullable String result) {
        Observer observer = site.observer();
        Sight sight = observer.sight();
        Html html = new Html();
        back(html, observer);
        state(html, observer);
        if (result != null) {
            html.raw("<p id=\"result\" role=\"status\">").text(result).raw("</p>");
        }
        Optional<LeaseRow> found = sight.leases().stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst();
        if (found.isEmpty()) {
            html.raw("<p class=\"trouble\">There was no lease of this name at the last look.</p>");
        } else {
            LeaseRow lease = found.get();
            details(html, sight, observer.namespace(), lease);
            if (site.orders() != null && lease.problem() == null) {
                orders(html, observer.namespace(), lease);
            }
        }
        events(html, observer, observer.timeline().of(name, null));
        html.raw(
                "<p class=\"note\">Processes that wait for a lease are not in the database: ask the service, by the meter"
                        + " <code>leasehold.waiters</code> or <code>engine.health().waiters()</code>.</p>");
        return new Content("Lease " + name, observer.namespace(), html.toString());
    }

    private static void back(Html html, Observer observer) {
        html.raw("<p class=\"back\">")
                .link("/?ns=" + Selection.encoded(observer.namespace()), "All leases of " + observer.namespace())
                .raw("</p>");
    }

    private static void details(Html html, Sight sight, String namespace, LeaseRow lease) {
        html.raw("<dl id=\"lease\">");
        begin(html, "Status");
        status(html, lease);
        end(html);
        entry(html, "Problem", lease.problem());
        entry(html, "Holder", lease.holder());
        entry(html, "Token", lease.token());
        if (lease.isHeld() && lease.since() != null) {
            begin(html, "Since");
            html.time(Instant.parse(lease.since())).raw(", by the clock of the engine's machine");
            end(html);
        }
        if (lease.latestExpiry() != null) {
            begin(html, lease.isHeld() ? "Until, at the latest" : "Kept free until");
            until(html, sight, lease, lease.isHeld() ? ", unless it is renewed" : "");
            end(html);
        }
        entry(html, "Kept by", lease.keptBy());
        if (lease.writer() != null) {
            begin(html, lease.isHeld() ? "Engine" : "Last engine");
            Optional<WriterRow> engine = sight.writers().stream()
                    .filter(writer -> writer.writer().equals(lease.writer()))
                    .findFirst();
            if (engine.isPresent()) {
                html.link(engineLink(namespace, engine.get().writer()), shortened(engine.get()))
                        .raw(" ");
                sign(html, engine.get());
            } else {
                html.text(lease.writer());
            }
            end(html);
        }
        entry(html, "Pins", lease.pins().isEmpty() ? null : String.join(", ", lease.pins()));
        entry(html, "Comment", lease.comment());
        if (lease.problem() == null) {
            entry(
                    html,
                    "Gates",
                    Words.count(lease.gates(), "transaction")
                            + (lease.stripes() == 0 ? "" : ", and more on " + Words.count(lease.stripes(), "stripe")));
        }
        html.raw("</dl>");
    }

    private static void begin(Html html, String what) {
        html.raw("<div><dt>").text(what).raw("</dt><dd>");
    }

    private static void end(Html html) {
        html.raw("</dd></div>");
    }

    private static void entry(Html html, String what, @Nullable Object value) {
        if (value != null) {
            begin(html, what);
            html.text(value);
            end(html);
        }
    }

    /** Each form is known by what it is about: when that changes, so does the form, with all that was typed or ticked. */
    private void orders(Html html, String namespace, LeaseRow lease) {
        html.raw("<section id=\"orders\"><h2>Orders</h2>");
        form(html, "pin", "pin", namespace, lease.name())
                .raw(
                        "<label>Entity that keeps it from being taken <input name=\"entity\" required maxlength=\"512\"></label>"
                                + "<button>Pin</button></form>");
        for (String entity : lease.pins()) {
            form(html, "unpin", "unpin-" + entity, namespace, lease.name());
            hidden(html, "entity", entity);
            html.raw("<button>Take away the pin of ").text(entity).raw("</button></form>");
        }
        if (lease.isHeld()) {
            form(html, "force-expire", "expire-" + lease.token(), namespace, lease.name());
            hidden(html, "tenure", String.valueOf(lease.token()));
            html.raw(
                            "<p>Its transactions are refused at once. Until its engine has noticed, the holder believes that it holds the"
                                    + " lease, and goes on outside the database.</p>"
                                    + "<label>Reason <input name=\"reason\" required maxlength=\"512\"></label>"
                                    + "<label class=\"sure\"><input type=\"checkbox\" required> ")
                    .text("I want to end the tenure of " + lease.holder() + " under token " + lease.token())
                    .raw("</label><button class=\"danger\">End this tenure</button></form>");
        }
        html.raw("</section>");
    }

    private Html form(Html html, String order, String id, String namespace, String lease) {
        html.raw("<form id=\"")
                .value(Selection.encoded(id))
                .raw("\" method=\"post\" action=\"/orders/" + order + "\">");
        hidden(html, "token", token);
        hidden(html, "ns", namespace);
        hidden(html, "lease", lease);
        return html;
    }

    private static void hidden(Html html, String name, String value) {
        html.raw("<input type=\"hidden\" name=\"" + name + "\" value=\"")
                .value(value)
                .raw("\">");
    }

    // ---- one engine ----

    Content engine(Site site, String key) {
        Observer observer = site.observer();
        Html html = new Html();
        back(html, observer);
        state(html, observer);
        List<WriterRow> found = observer.sight().writers().stream()
                .filter(writer -> writer.writer().equals(key))
                .toList();
        if (found.isEmpty()) {
            html.raw(
                    "<p class=\"trouble\">There was no entry of this engine at the last look: it was closed, or others have ended"
                            + " its session.</p>");
        }
        for (WriterRow writer : found) {
            html.raw("<dl>");
            entry(html, "Engine", writer.writer());
            entry(html, "Partition", writer.partition());
            begin(html, "Sign of life");
            sign(html, writer);
            end(html);
            entry(html, "Session", duration(writer.sessionMillis()));
            begin(html, "Clock");
            clock(html, writer);
            end(html);
            entry(html, "Drift bound", writer.driftPpm() == null ? null : writer.driftPpm() + " ppm");
            begin(html, "Holds");
            holds(html, observer.namespace(), writer);
            end(html);
            html.raw("</dl>");
        }
        events(html, observer, observer.timeline().of(null, key));
        return new Content("Engine " + key, observer.namespace(), html.toString());
    }

    // ---- frame ----

    static String leaseLink(String namespace, String lease) {
        return "/lease?ns=" + Selection.encoded(namespace) + "&name=" + Selection.encoded(lease);
    }

    private static String engineLink(String namespace, String writer) {
        return "/engine?ns=" + Selection.encoded(namespace) + "&key=" + Selection.encoded(writer);
    }

    /** Around a board. */
    String page(Content content) {
        Html html = new Html()
                .raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                        + "<meta name=\"color-scheme\" content=\"light dark\"><title>")
                .text(content.title())
                .raw("</title><link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/style.css\">"
                        + "<script src=\"/page.js\" defer></script></head><body>"
                        + "<a class=\"skip\" href=\"#board\">Skip to the content</a><header><h1>")
                .text(content.title())
                .raw("</h1><p class=\"seen\"><span id=\"seen\" class=\"well\">")
                .text(seen(content.namespace()))
                .raw("</span></p>");
        if (sites.size() > 1) {
            html.raw("<nav id=\"namespaces\" aria-label=\"Namespaces\">");
            for (String namespace : sites.keySet()) {
                html.raw("<a href=\"/?ns=")
                        .value(Selection.encoded(namespace))
                        .raw(namespace.equals(content.namespace()) ? "\" aria-current=\"page\">" : "\">")
                        .text(namespace)
                        .raw("</a>");
            }
            html.raw("</nav>");
        }
        return html.raw("</header><main id=\"board\" tabindex=\"-1\">")
                .raw(content.board())
                .raw("</main></body></html>")
                .toString();
    }

    private String seen(String namespace) {
        Site site = sites.get(namespace);
        Instant takenAt = site == null ? null : site.observer().sight().takenAt();
        return takenAt == null ? "not seen yet" : "seen " + Words.of(takenAt);
    }
}
