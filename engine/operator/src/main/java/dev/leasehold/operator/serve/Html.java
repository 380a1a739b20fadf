package dev.leasehold.operator.serve;

import org.jspecify.annotations.Nullable;

/** Text that goes into a page: whatever comes from the database or from a request is shown and never read as markup. */
final class Html {

    private final StringBuilder text = new StringBuilder();

    /** Adds markup, which must not come from anywhere else than from this program. */
    Html raw(String markup) {
        text.append(markup);
        return this;
    }

    /** Adds text, as text. A dash for none. */
    Html text(@Nullable Object content) {
        text.append(escaped(content == null ? "-" : content.toString()));
        return this;
    }

    /** Adds a cell of a table, with its heading for narrow screens, where one without content is left out. */
    Html cell(String heading, @Nullable Object content) {
        return openCell(heading, content == null).text(content).closeCell();
    }

    /** Begins a cell of a table. */
    Html openCell(String heading, boolean empty) {
        return raw(empty ? "<td class=\"empty\" data-label=\"" : "<td data-label=\"")
                .text(heading)
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
