package dev.leasehold.examples.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** Prints the story in lines that fit a terminal. */
final class Narrator {

    private static final int WIDTH = 100;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);
    private static final JsonWriterSettings ONE_LINE =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();
    private static final JsonWriterSettings INDENTED = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .indent(true)
            .build();

    private final PrintStream out;

    Narrator(PrintStream out) {
        this.out = out;
    }

    static String time(Instant instant) {
        return TIME.format(instant);
    }

    static String minutes(Duration duration) {
        return String.format(Locale.ROOT, "%dm%02ds", duration.toMinutes(), duration.toSecondsPart());
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2fs", duration.toMillis() / 1e3);
    }

    static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.1fms", duration.toNanos() / 1e6);
    }

    void chapter(String title) {
        out.println();
        wrap("", title);
    }

    /** What a service did or was told, with the time on its own clock. */
    void says(OrderService service, String text) {
        wrap("  %s  %-6s ".formatted(time(service.now()), service.name()), text);
    }

    void show(Document document) {
        out.println("  " + document.toJson(ONE_LINE));
    }

    void showIndented(Document document) {
        out.println(document.toJson(INDENTED).indent(2).stripTrailing());
    }

    private void wrap(String head, String text) {
        StringBuilder line = new StringBuilder(head);
        for (String word : text.split(" ")) {
            if (line.length() + word.length() > WIDTH) {
                out.println(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(head.length()));
            }
            line.append(word).append(' ');
        }
        out.println(line.toString().stripTrailing());
    }
}
