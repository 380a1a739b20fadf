package dev.leasehold.operator.serve;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.operator.view.DisplayText;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text that goes into a page: whatever comes from the database or from a request is shown and never read as markup. */
final class Html {

    /** Nothing else of what browsers take for a link, such as scripts. */
    private static final Pattern ADDRESS = Pattern.compile("https?://[A-Za-z0-9.:\\[\\]-]+(?:/[A-Za-z0-9._~/-]*)?");

    private final StringBuilder text = new StringBuilder();

    /** Adds markup, which must not come from anywhere else than from this program. */
    Html raw(String markup) {
        text.append(markup);
        return this;
    }

    /** Adds text, as text, with escapes for what cannot be seen. A dash for none. */
    Html text(@Nullable Object content) {
        text.append(escaped(content == null ? "\u2013" : LeaseNames.visible(content.toString())));
        return this;
    }

    /** Adds a value as it is, for an attribute that is sent back or compared. */
    Html value(String content) {
        text.append(escaped(content));
        return this;
    }

    Html link(String address, String shown) {
        return raw("<a href=\"").value(address).raw("\">").text(shown).raw("</a>");
    }

    /** A text of a process: a link if it is the address of a page, such as that of a replica of a service. */
    Html linkedIfAddress(@Nullable String content) {
        return content != null && ADDRESS.matcher(content).matches() ? link(content, content) : text(content);
    }

    /** A state in a word, with a colour. */
    Html pill(String state) {
        return raw("<span class=\"pill ").value(state).raw("\">").text(state).raw("</span>");
    }

    /** An instant, which the script of the page shows as a distance from now; without it, it stands there to the second. */
    Html time(Instant instant) {
        return raw("<time datetime=\"")
                .value(instant.toString())
                .raw("\">")
                .text(DisplayText.of(instant))
                .raw("</time>");
    }

    /** A bar of what is left until then. For eyes alone: the time stands beside it. */
    Html bar(Instant until, Duration span) {
        return raw("<span class=\"bar\" aria-hidden=\"true\" data-until=\"")
                .value(until.toString())
                .raw("\" data-span=\"" + span.toMillis() + "\"><i></i></span>");
    }

    /** Adds a cell of a table, with its heading for narrow screens, where one without content is left out. */
    Html cell(String heading, @Nullable Object content) {
        return openCell(heading, content == null).text(content).closeCell();
    }

    /** Begins a cell of a table. */
    Html openCell(String heading, boolean empty) {
        return raw(empty ? "<td class=\"empty\" data-label=\"" : "<td data-label=\"")
                .value(heading)
                .raw("\"><div>");
    }

    Html closeCell() {
        return raw("</div></td>");
    }

    static String escaped(String content) {
        return content.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
