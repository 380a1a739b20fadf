package dev.leasehold.operator.serve;

import dev.leasehold.operator.view.DisplayText;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is shown, as HTML. Each page is a frame around a board, which the script of the page fetches again and changes in place. No board has
 * a distance from now in it: so it stays the same, byte by byte, as long as nothing has happened.
 */
final class Pages {

    private final Map<String, Site> sites;
    private final LeasePage leasePage;

    /**
     * Of what observers see.
     *
     * @param sites by namespace, in the order in which they are shown
     * @param token stands in every form, and is unknown to those that did not get the page
     */
    Pages(Map<String, Site> sites, String token) {
        this.sites = sites;
        this.leasePage = new LeasePage(token);
    }

    /** A board, and what stands around it. */
    record Content(String title, String namespace, String board) {}

    Content lease(Site site, String name, @Nullable String result) {
        return leasePage.of(site, name, result);
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
        Instant takenAt = site == null ? null : site.observer().latest().takenAt();
        return takenAt == null ? "not seen yet" : "seen " + DisplayText.of(takenAt);
    }
}
