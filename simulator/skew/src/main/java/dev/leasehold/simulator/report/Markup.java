package dev.leasehold.simulator.report;

import dev.leasehold.assertions.LeaseNames;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Writes HTML that is XML too. All texts and attributes are escaped: names of holders may be any text. */
public final class Markup {

    /** Control characters and unpaired surrogates. */
    private static final String NOT_IN_XML = "[^\\n\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]";

    private final StringBuilder out = new StringBuilder();

    /** Begins a page that needs no other file. */
    public static Markup page(String title, String style) {
        Markup page = new Markup();
        page.out.append("<!DOCTYPE html>\n");
        return page.open("html", "lang", "en")
                .open("head")
                .raw("<meta charset=\"utf-8\"/>\n")
                .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
                .element("title", title)
                .open("style")
                .raw(style)
                .close("style")
                .close("head")
                .open("body");
    }

    /** Ends a page. */
    public String endOfPage() {
        return close("body").close("html").out.toString();
    }

    /** Opens an element. Attributes come in pairs of name and value; those without a value are left out. */
    public Markup open(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            if (!attributes[i + 1].isEmpty()) {
                out.append(' ').append(attributes[i]).append("=\"");
                out.append(escaped(attributes[i + 1])).append('"');
            }
        }
        out.append('>');
        return this;
    }

    public Markup close(String element) {
        out.append("</").append(element).append(">\n");
        return this;
    }

    /** An element with a text in it. */
    public Markup element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close(element);
    }

    /** A row of a table, of such cells. */
    public Markup row(String cell, List<String> texts) {
        open("tr");
        texts.forEach(text -> element(cell, text));
        return close("tr");
    }

    public Markup text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** What was written by another one goes here. */
    public Markup append(Markup other) {
        out.append(other.out);
        return this;
    }

    /** Only for what is a part of this program. */
    private Markup raw(String markup) {
        out.append(markup);
        return this;
    }

    /** Line by line: some texts of this program have several. */
    private static String visible(String text) {
        return Arrays.stream(text.split("\n", -1)).map(LeaseNames::visible).collect(Collectors.joining("\n"));
    }

    private static String escaped(String text) {
        return visible(text)
                .replaceAll(NOT_IN_XML, "\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
