package dev.leasehold.operator.serve;

import dev.leasehold.operator.doctor.Finding;
import dev.leasehold.operator.doctor.Finding.Severity;
import dev.leasehold.operator.serve.Selection.Show;
import dev.leasehold.operator.serve.Selection.Sort;
import dev.leasehold.operator.view.DisplayText;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.WriterRow;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The page of all leases of a namespace, with its engines, events and findings. */
final class OverviewPage {

    private static final List<String> ENGINES_IN_ORDER = List.of(
            WriterRow.CORRUPT, WriterRow.OVER, WriterRow.SILENT, WriterRow.ALIVE, WriterRow.QUIET, WriterRow.CLOSED);

    private OverviewPage() {}

    static Pages.Content of(Site site, Selection selection) {
        Observer observer = site.observer();
        NamespaceView latest = observer.latest();
        Html html = new Html();
        Parts.state(html, observer);
        tiles(html, observer, selection);
        trouble(html, observer);
        leases(html, latest, selection);
        engines(html, observer.namespace(), latest);
        Parts.events(html, observer, observer.timeline().newestFirst());
        notices(html, observer.examined());
        return new Pages.Content("Leases of " + observer.namespace(), observer.namespace(), html.toString());
    }

    private static void tiles(Html html, Observer observer, Selection selection) {
        NamespaceView latest = observer.latest();
        html.raw("<nav id=\"tiles\" aria-label=\"Leases by state\">");
        for (Show show : Show.values()) {
            long count = show.count(latest.leases());
            html.raw("<a id=\"tile-" + show.word() + "\" class=\"tile " + show.word() + (count == 0 ? " none" : "")
                            + "\" data-in-place href=\"")
                    .value(selection.showing(show).link())
                    .raw("\"" + (show == selection.show() ? " aria-current=\"true\"" : "") + "><b>" + count
                            + "</b> <span>" + show.word() + "</span></a>");
        }
        long alive = count(latest, WriterRow.ALIVE);
        long gone = count(latest, WriterRow.OVER) + count(latest, WriterRow.CORRUPT);
        html.raw("<a id=\"tile-engines\" class=\"tile" + (gone > 0 ? " over" : "") + "\" href=\"#engines\"><b>" + alive
                + "<small>/" + latest.writers().size() + "</small></b> <span>engines alive</span></a>");
        long problems = observer.examined().of(Severity.PROBLEM).size();
        html.raw("<a id=\"tile-doctor\" class=\"tile" + (problems > 0 ? " corrupt" : " none")
                + "\" href=\"#doctor\"><b>" + (observer.examined().at() == null ? "\u2013" : problems)
                + "</b> <span>problems found</span></a></nav>");
    }

    private static long count(NamespaceView latest, String sign) {
        return latest.writers().stream()
                .filter(writer -> writer.sign().equals(sign))
                .count();
    }

    private static void trouble(Html html, Observer observer) {
        List<Finding> problems = observer.examined().of(Severity.PROBLEM);
        List<WriterRow> over = observer.latest().writers().stream()
                .filter(writer ->
                        writer.sign().equals(WriterRow.OVER) && !writer.holds().isEmpty())
                .toList();
        if (problems.isEmpty() && over.isEmpty()) {
            return;
        }
        html.raw("<section id=\"trouble\" class=\"alarm\"><h2>Trouble</h2><ul>");
        for (WriterRow writer : over) {
            html.raw("<li>Engine ")
                    .link(Parts.engineLink(observer.namespace(), writer.writer()), Parts.shortened(writer))
                    .text(" has given no sign of life for longer than its session, and has "
                            + DisplayText.count(writer.holds().size(), "lease") + ", which any other engine may take.")
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

    private static void notices(Html html, NamespaceView.Examined examined) {
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
                .text(DisplayText.count(examined.of(Severity.PROBLEM).size(), "problem") + ", "
                        + DisplayText.count(notices.size(), "notice") + ", "
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

    private static void leases(Html html, NamespaceView latest, Selection selection) {
        List<LeaseRow> fitting = selection.of(latest.leases());
        html.raw("<section id=\"leases\"><div class=\"head\"><h2>Leases</h2>");
        filter(html, selection);
        html.raw("</div>");
        if (fitting.isEmpty()) {
            html.raw("<p class=\"note\">")
                    .text(
                            latest.takenAt() == null
                                    ? "Nothing was seen yet."
                                    : latest.leases().isEmpty() ? "There are no leases." : "No lease fits.")
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
        html.raw("<th scope=\"col\">Waiting</th><th scope=\"col\">Pins</th><th"
                + " scope=\"col\">Comment</th></tr></thead><tbody>");
        selection.onPage(fitting).forEach(lease -> row(html, latest, selection.namespace(), lease));
        html.raw("</tbody></table>");
        pager(html, selection, fitting.size());
        html.raw("</section>");
    }

    private static void filter(Html html, Selection selection) {
        html.raw("<form id=\"filter\" role=\"search\" method=\"get\" action=\"/\" data-in-place>");
        Parts.hidden(html, "ns", selection.namespace());
        if (selection.show() != Show.ALL) {
            Parts.hidden(html, "show", selection.show().word());
        }
        Parts.hidden(html, "sort", selection.sort().word());
        if (selection.reverse()) {
            Parts.hidden(html, "order", "down");
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

    private static void row(Html html, NamespaceView latest, String namespace, LeaseRow lease) {
        html.raw("<tr id=\"lease-")
                .value(Selection.encoded(lease.partition() + "-" + lease.name()))
                .raw("\">")
                .openCell("Lease", false)
                .link(Parts.leaseLink(namespace, lease.name()), lease.name())
                .closeCell()
                .openCell("Status", false);
        Parts.status(html, lease);
        html.closeCell().openCell("Holder", lease.holder() == null).text(lease.holder());
        if (lease.isHeld() && lease.writer() != null) {
            html.raw(" ");
            latest.writers().stream()
                    .filter(writer -> writer.writer().equals(lease.writer()))
                    .findFirst()
                    .ifPresent(writer -> html.raw("<small>on ")
                            .link(Parts.engineLink(namespace, writer.writer()), Parts.shortened(writer))
                            .raw("</small>"));
        }
        html.closeCell().cell("Token", lease.token()).openCell("Since", !lease.isHeld());
        if (lease.isHeld() && lease.since() != null) {
            html.time(Instant.parse(lease.since()));
        } else {
            html.text(null);
        }
        html.closeCell().openCell("Until", lease.latestExpiry() == null);
        Parts.until(html, latest, lease, "");
        html.closeCell()
                .cell(
                        "Waiting",
                        lease.waiters().isEmpty() ? null : lease.waiters().size())
                .cell("Pins", lease.pins().isEmpty() ? null : String.join(", ", lease.pins()))
                .openCell("Comment", lease.problem() == null && lease.comment() == null)
                .linkedIfAddress(lease.problem() == null ? lease.comment() : lease.problem())
                .closeCell()
                .raw("</tr>");
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

    private static void engines(Html html, String namespace, NamespaceView latest) {
        html.raw("<section id=\"engines\"><h2>Engines and their sessions</h2>");
        if (latest.writers().isEmpty()) {
            html.raw("<p class=\"note\">No engine has written here.</p></section>");
            return;
        }
        html.raw("<table><caption>Engines</caption><thead><tr><th scope=\"col\">Engine</th><th scope=\"col\">Sign of"
                + " life</th><th scope=\"col\">Session</th><th scope=\"col\">Clock</th><th"
                + " scope=\"col\">Holds</th></tr></thead><tbody>");
        latest.writers().stream()
                .sorted(Comparator.comparingInt(writer -> ENGINES_IN_ORDER.indexOf(writer.sign())))
                .forEach(writer -> engine(html, namespace, writer));
        html.raw("</tbody></table><p class=\"note\">An engine lives if its stamp was seen to move. No clocks are"
                + " compared.</p></section>");
    }

    private static void engine(Html html, String namespace, WriterRow writer) {
        html.raw("<tr id=\"engine-")
                .value(Selection.encoded(writer.partition() + "-" + writer.writer()))
                .raw("\">")
                .openCell("Engine", false)
                .link(Parts.engineLink(namespace, writer.writer()), Parts.shortened(writer))
                .closeCell()
                .openCell("Sign of life", false);
        Parts.sign(html, writer);
        html.closeCell()
                .cell("Session", Parts.duration(writer.sessionMillis()))
                .openCell("Clock", writer.behindMillisMax() == null);
        Parts.clock(html, writer);
        html.closeCell().openCell("Holds", false);
        Parts.holds(html, namespace, writer);
        html.closeCell().raw("</tr>");
    }
}
