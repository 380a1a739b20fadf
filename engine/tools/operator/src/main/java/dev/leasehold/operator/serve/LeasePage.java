package dev.leasehold.operator.serve;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.operator.view.DisplayText;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.WaiterRow;
import dev.leasehold.operator.view.WriterRow;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The page of one lease, with the orders that may be given. */
final class LeasePage {

    private final String token;

    /**
     * With forms of this server.
     *
     * @param token stands in every form, and is unknown to those that did not get the page
     */
    LeasePage(String token) {
        this.token = token;
    }

    Pages.Content of(Site site, String name, @Nullable String result) {
        Observer observer = site.observer();
        NamespaceView latest = observer.latest();
        Html html = new Html();
        Parts.back(html, observer);
        Parts.state(html, observer);
        if (result != null) {
            html.raw("<p id=\"result\" role=\"status\">").text(result).raw("</p>");
        }
        Optional<LeaseRow> found = latest.leases().stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst();
        if (found.isEmpty()) {
            html.raw("<p class=\"trouble\">There was no lease of this name at the last look.</p>");
        } else {
            LeaseRow lease = found.get();
            details(html, latest, observer.namespace(), lease);
            if (lease.problem() == null) {
                waiters(html, latest, observer.namespace(), lease);
            }
            if (site.orders() != null && lease.problem() == null) {
                orders(html, observer.namespace(), lease);
            }
        }
        Parts.events(html, observer, observer.timeline().of(name, null));
        return new Pages.Content("Lease " + name, observer.namespace(), html.toString());
    }

    private static void details(Html html, NamespaceView latest, String namespace, LeaseRow lease) {
        html.raw("<dl id=\"lease\">");
        Parts.begin(html, "Status");
        Parts.status(html, lease);
        Parts.end(html);
        Parts.entry(html, "Problem", lease.problem());
        Parts.entry(html, "Holder", lease.holder());
        Parts.entry(html, "Token", lease.token());
        if (lease.isHeld() && lease.since() != null) {
            Parts.begin(html, "Since");
            html.time(Instant.parse(lease.since())).raw(", by the clock of the engine's machine");
            Parts.end(html);
        }
        if (lease.latestExpiry() != null) {
            Parts.begin(html, lease.isHeld() ? "Until, at the latest" : "Kept free until");
            Parts.until(html, latest, lease, lease.isHeld() ? ", unless it is renewed" : "");
            Parts.end(html);
        }
        Parts.entry(html, "Kept by", lease.keptBy());
        if (lease.writer() != null) {
            Parts.begin(html, lease.isHeld() ? "Engine" : "Last engine");
            Optional<WriterRow> engine = latest.writers().stream()
                    .filter(writer -> writer.writer().equals(lease.writer()))
                    .findFirst();
            if (engine.isPresent()) {
                html.link(Parts.engineLink(namespace, engine.get().writer()), Parts.shortened(engine.get()))
                        .raw(" ");
                Parts.sign(html, engine.get());
            } else {
                html.text(lease.writer());
            }
            Parts.end(html);
        }
        Parts.entry(html, "Pins", lease.pins().isEmpty() ? null : String.join(", ", lease.pins()));
        if (lease.comment() != null) {
            Parts.begin(html, "Comment");
            html.linkedIfAddress(lease.comment());
            Parts.end(html);
        }
        Parts.entry(html, "Payload", lease.payload() == null ? null : LeaseNames.quote(lease.payload()));
        if (lease.problem() == null) {
            Parts.entry(
                    html,
                    "Gates",
                    DisplayText.count(lease.gates(), "transaction")
                            + (lease.stripes() == 0
                                    ? ""
                                    : ", and more on " + DisplayText.count(lease.stripes(), "stripe")));
        }
        html.raw("</dl>");
    }

    /** In the order in which they are served. */
    private static void waiters(Html html, NamespaceView latest, String namespace, LeaseRow lease) {
        html.raw("<section id=\"waiters\"><h2>Wait queue</h2>");
        if (lease.waiters().isEmpty()) {
            html.raw("<p class=\"note\">No process stands in the wait queue.</p></section>");
            return;
        }
        html.raw("<table><caption>Wait queue</caption><thead><tr><th scope=\"col\">Position</th>"
                + "<th scope=\"col\">Holder</th><th scope=\"col\">Engine</th><th scope=\"col\">Priority</th>"
                + "<th scope=\"col\">Since</th><th scope=\"col\">Comment</th></tr></thead><tbody>");
        lease.waiters().forEach(waiter -> waiter(html, latest, namespace, waiter));
        html.raw("</tbody></table><p class=\"note\">Times are by the clock of each engine's machine. A waiter whose"
                + " engine has no entry any more never gets the lease.</p></section>");
    }

    private static void waiter(Html html, NamespaceView latest, String namespace, WaiterRow waiter) {
        html.raw("<tr id=\"waiter-" + waiter.position() + "\">")
                .cell("Position", waiter.position())
                .cell("Holder", waiter.holder())
                .openCell("Engine", false);
        Optional<WriterRow> engine = latest.writers().stream()
                .filter(writer -> writer.writer().equals(waiter.writer()))
                .findFirst();
        if (engine.isPresent()) {
            html.link(Parts.engineLink(namespace, waiter.writer()), Parts.shortened(engine.get()));
        } else {
            html.text(waiter.instance() + (waiter.present() ? "" : ", no entry"));
        }
        html.closeCell()
                .cell("Priority", waiter.priority())
                .openCell("Since", false)
                .time(Instant.parse(waiter.since()))
                .closeCell()
                .openCell("Comment", waiter.comment() == null)
                .linkedIfAddress(waiter.comment())
                .closeCell()
                .raw("</tr>");
    }

    /** Each form is known by what it is about: when that changes, so does the form, with all that was typed or ticked. */
    private void orders(Html html, String namespace, LeaseRow lease) {
        html.raw("<section id=\"orders\"><h2>Orders</h2>");
        form(html, "pin", "pin", namespace, lease.name())
                .raw("<label>Entity that keeps it from being taken <input name=\"entity\" required"
                        + " maxlength=\"512\"></label><button>Pin</button></form>");
        for (String entity : lease.pins()) {
            form(html, "unpin", "unpin-" + entity, namespace, lease.name());
            Parts.hidden(html, "entity", entity);
            html.raw("<button>Take away the pin of ").text(entity).raw("</button></form>");
        }
        if (lease.isHeld()) {
            forceExpire(
                    html,
                    namespace,
                    lease,
                    "Its transactions are refused at once. Until its engine has noticed, the holder goes on as the holder"
                            + " outside the database.",
                    "I want to end the tenure of " + lease.holder() + " under token " + lease.token(),
                    "End this tenure");
        } else if (lease.latestExpiry() != null) {
            forceExpire(
                    html,
                    namespace,
                    lease,
                    "The lease is kept free, so that no process acquires it.",
                    "I want other processes to acquire it at once",
                    "Do not keep it free");
        }
        html.raw("</section>");
    }

    private void forceExpire(
            Html html, String namespace, LeaseRow lease, String effect, String confirmation, String button) {
        form(html, "force-expire", "expire-" + lease.token(), namespace, lease.name());
        Parts.hidden(html, "tenure", String.valueOf(lease.token()));
        html.raw("<p>")
                .text(effect)
                .raw("</p><label>Reason <input name=\"reason\" required"
                        + " maxlength=\"512\"></label><label class=\"sure\"><input type=\"checkbox\" required> ")
                .text(confirmation)
                .raw("</label><button class=\"danger\">")
                .text(button)
                .raw("</button></form>");
    }

    private Html form(Html html, String order, String id, String namespace, String lease) {
        html.raw("<form id=\"")
                .value(Selection.encoded(id))
                .raw("\" method=\"post\" action=\"/orders/" + order + "\">");
        Parts.hidden(html, "token", token);
        Parts.hidden(html, "ns", namespace);
        Parts.hidden(html, "lease", lease);
        return html;
    }
}
