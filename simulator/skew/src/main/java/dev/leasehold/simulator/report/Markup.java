package dev.leasehold.simulator.report;

/**
 * Writes HTML and SVG. All that comes from a history goes through {@link #text} or an attribute, and both escape it: names of holders may
 * be any text.
 */
final class Markup {

    private final StringBuilder out = new StringBuilder();

    /** Opens an element. Attributes come in pairs of name and value; those without a value are left out. */
    Markup open(String element, String... attributes) {
        start(element, attributes);
        out.append('>');
        return this;
    }

    Markup close(String element) {
        out.append("</").append(element).append(">\n");
        return this;
    }

    /** An element of SVG with nothing in it. */
    Markup empty(String element, String... attributes) {
        start(element, attributes);
        out.append("/>\n");
        return this;
    }

    /** An element with a text in it. */
    Markup element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close(element);
    }

    Markup text(String text) {
        escape(text);
        return this;
    }

    /** What was written by another one goes here. */
    Markup append(Markup other) {
        out.append(other.out);
        return this;
    }

    /** Only for what is a part of this program. */
    Markup raw(String markup) {
        out.append(markup);
        return this;
    }

    /** A number of pixels. */
    static String px(double pixels) {
        long tenths = Math.round(pixels * 10);
        String sign = tenths < 0 ? "-" : "";
        long size = Math.abs(tenths);
        return size % 10 == 0 ? sign + size / 10 : sign + size / 10 + '.' + size % 10;
    }

    private void start(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            if (!attributes[i + 1].isEmpty()) {
                out.append(' ').append(attributes[i]).append("=\"");
                escape(attributes[i + 1]);
                out.append('"');
            }
        }
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(isAllowed(text, i) ? c : '\uFFFD');
            }
        }
    }

    /** Neither control characters nor lone surrogates may stand in XML. */
    private static boolean isAllowed(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return index > 0 && Character.isHighSurrogate(text.charAt(index - 1));
        }
        return c >= ' ' && c < '\uFFFE' || c == '\n' || c == '\t';
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
