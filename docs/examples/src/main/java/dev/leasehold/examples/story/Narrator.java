package dev.leasehold.examples.story;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** Prints the story in lines that fit a terminal. A story that does not reach its reader ends with an exception. */
public final class Narrator {

    private static final int WIDTH = 100;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final JsonWriterSettings ONE_LINE =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();
    private static final JsonWriterSettings INDENTED = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .indent(true)
            .build();

    private final PrintStream out;

    public Narrator(PrintStream out) {
        this.out = out;
    }

    public static String time(Instant instant) {
        return TIME.format(instant);
    }

    public static String minutes(Duration duration) {
        return String.format(Locale.ROOT, "%dm%02ds", duration.toMinutes(), duration.toSecondsPart());
    }

    public static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2fs", duration.toMillis() / 1e3);
    }

    public static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.1fms", duration.toNanos() / 1e6);
    }

    public void chapter(String title) {
        print("");
        wrap("", title);
    }

    /** What one of those in the story did or was told, with the time on its own clock. */
    public void says(Speaker speaker, String text) {
        wrap("  %s  %-6s ".formatted(time(speaker.now()), speaker.name()), text);
    }

    public void show(Document document) {
        wrap("  ", document.toJson(ONE_LINE));
    }

    public void showIndented(Document document) {
        print(document.toJson(INDENTED).indent(2).stripTrailing());
    }

    private void wrap(String head, String text) {
        StringBuilder line = new StringBuilder(head);
        for (String word : text.split(" ")) {
            if (line.length() + word.length() > WIDTH) {
                print(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(head.length()));
            }
            line.append(word).append(' ');
        }
        print(line.toString().stripTrailing());
    }

    /** A stream keeps its failures to itself: the disk is full, or what reads the pipe has ended. */
    private void print(String line) {
        out.println(line);
        if (out.checkError()) {
            throw new IllegalStateException("the story could not be written to its end");
        }
    }
}
