package dev.leasehold.mergequeue.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.leasehold.mergequeue.queue.AskedStatus;
import dev.leasehold.mergequeue.queue.QueueEvent;
import dev.leasehold.mergequeue.queue.Rule;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The body of a request, field by field. Fields that are not known are passed over. */
final class RequestBody {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();
    /** No dots: it is part of a path in a document. */
    private static final Pattern SHA = Pattern.compile("[0-9A-Za-z_-]{1,64}");

    private static final long PRIORITY_MAX = 1_000_000_000;
    private static final int REF_LENGTH_MAX = 255;

    private final JsonNode root;

    private RequestBody(JsonNode root) {
        this.root = root;
    }

    static RequestBody parse(byte[] bytes) {
        JsonNode root;
        try {
            root = JSON.readTree(bytes);
        } catch (IOException e) {
            throw ApiException.notJson("the body is not JSON");
        }
        if (!root.isObject()) {
            throw ApiException.notJson("the body is no JSON object");
        }
        return new RequestBody(root);
    }

    QueueEvent.Acquire acquire() {
        Optional<AskedStatus> status = root.has("status") ? Optional.of(status()) : Optional.empty();
        if (status.isPresent() && status.get() != AskedStatus.PENDING) {
            throw ApiException.refused(
                    Rule.STATUS_CHANGE.code(),
                    "a request that acquires is pending, and cannot become "
                            + status.get().text(),
                    Rule.STATUS_CHANGE.sentence());
        }
        return new QueueEvent.Acquire(headSha(), headRef(), priority());
    }

    QueueEvent.Release release() {
        return new QueueEvent.Release(headSha(), status(), token());
    }

    private String headSha() {
        JsonNode value = root.path("head_sha");
        if (!value.isTextual() || !SHA.matcher(value.textValue()).matches()) {
            throw ApiException.validation("head_sha", "1 to 64 letters, digits, '_' and '-'");
        }
        return value.textValue();
    }

    private String headRef() {
        JsonNode value = root.path("head_ref");
        if (!value.isTextual() || !isRef(value.textValue())) {
            throw ApiException.validation(
                    "head_ref", "1 to " + REF_LENGTH_MAX + " characters, none of them a control character");
        }
        return value.textValue();
    }

    /** Unpaired surrogates cannot be stored. */
    private static boolean isRef(String text) {
        return !text.isBlank()
                && text.length() <= REF_LENGTH_MAX
                && text.codePoints()
                        .noneMatch(point ->
                                Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE);
    }

    private long priority() {
        JsonNode value = root.path("priority");
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < 1
                || value.longValue() > PRIORITY_MAX) {
            throw ApiException.validation("priority", "a whole number from 1 to " + PRIORITY_MAX);
        }
        return value.longValue();
    }

    private OptionalLong token() {
        JsonNode value = root.path("token");
        if (value.isMissingNode() || value.isNull()) {
            return OptionalLong.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 1) {
            throw ApiException.validation("token", "the token of the answer \"acquired\", or left out");
        }
        return OptionalLong.of(value.longValue());
    }

    private AskedStatus status() {
        String text = root.path("status").asText();
        String usual = text.equals(Spelling.OTHER_STATUS) ? AskedStatus.ACQUIRED.text() : text;
        return Arrays.stream(AskedStatus.values())
                .filter(status -> status.text().equals(usual))
                .findFirst()
                .orElseThrow(() -> ApiException.validation("status", "success or failure"));
    }
}
