package dev.leasehold.mergequeue.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.javalin.http.Context;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.QuotedQualityCSV;

/**
 * The bodies of answers as lines {@code key: value}, for callers that have no parser of JSON: for those that prefer {@code text/plain}. The
 * first line is {@code status}; there is one line for each key, and a value never contains a line break. Keys may be added, and are not
 * renamed. A list is written with spaces between, and is empty if there is nothing in it.
 */
final class PlainText {

    private static final ObjectMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final String TYPE = "text/plain; charset=utf-8";
    private static final Set<String> JSON_RANGES = Set.of("application/json", "application/*", "*/*");

    private PlainText() {}

    /**
     * Whether the caller would rather have a type of text than JSON: by the weights of what it accepts, then by its order. A caller that
     * takes anything gets JSON.
     */
    static boolean isPreferred(String textType, Context ctx) {
        return accepted(ctx).stream()
                .map(range -> range.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .filter(range -> range.equals(textType) || range.equals("text/*") || JSON_RANGES.contains(range))
                .findFirst()
                .map(range -> !JSON_RANGES.contains(range))
                .orElse(false);
    }

    /** The heaviest first. */
    private static List<String> accepted(Context ctx) {
        QuotedQualityCSV accepted = new QuotedQualityCSV();
        try {
            Collections.list(ctx.req().getHeaders("Accept")).forEach(accepted::addValue);
            return accepted.getValues();
        } catch (IllegalArgumentException e) {
            return List.of(); // a caller that does not say what it prefers
        }
    }

    /** Answers with a body of {@link AnswerBody} or {@link ErrorBody} in the form that the caller accepts. */
    static void orJson(Context ctx, Map<String, Object> body) {
        // The same address has two forms, and caches must keep them apart.
        ctx.header("Vary", "Accept");
        if (isPreferred("text/plain", ctx)) {
            ctx.contentType(TYPE).result(of(body));
        } else {
            ctx.json(body);
        }
    }

    static String of(Map<String, Object> body) {
        Map<String, Object> lines = new LinkedHashMap<>();
        lines.put("status", status(body));
        body.forEach((key, value) -> {
            if (value instanceof Map<?, ?> fields) {
                String prefix = key.equals("request") ? "" : key + "_";
                fields.forEach((field, inner) -> lines.putIfAbsent(prefix + field, inner));
            } else if (key.equals("stacked_requests")) {
                lines.put("stacked_json", json(value));
            } else {
                lines.put(key, value);
            }
        });
        return lines.entrySet().stream()
                .map(line -> line.getKey() + ": " + text(line.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    private static Object status(Map<String, Object> body) {
        if (body.get("request") instanceof Map<?, ?> request && request.get("status") instanceof String status) {
            return status;
        }
        return body.containsKey("error") ? "refused" : "cleared";
    }

    private static String json(Object value) {
        try {
            return ASCII.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts, numbers and lists of them can be written", e);
        }
    }

    private static String text(Object value) {
        String text = value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(" "))
                : String.valueOf(value);
        return text.codePoints().mapToObj(PlainText::visible).collect(Collectors.joining());
    }

    /** What would end the line, or show it otherwise than it is. */
    private static String visible(int point) {
        int type = Character.getType(point);
        boolean hidden = Character.isISOControl(point)
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
        return hidden ? String.format(Locale.ROOT, "\\u%04x", point) : Character.toString(point);
    }
}
