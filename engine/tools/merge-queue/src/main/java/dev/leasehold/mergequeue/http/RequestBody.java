package dev.leasehold.mergequeue.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.leasehold.mergequeue.queue.AskedStatus;
import dev.leasehold.mergequeue.queue.Payload;
import dev.leasehold.mergequeue.queue.QueueEvent;
import dev.leasehold.mergequeue.queue.RequestId;
import dev.leasehold.mergequeue.queue.Requester;
import dev.leasehold.mergequeue.queue.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The body of a request, field by field. Fields that are not known are passed over. */
final class RequestBody {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final String WORD =
            "1 to " + RequestId.LENGTH_MAX + " letters, digits, '_' and '-'; only a run or a job may be left out";
    private static final String OUTCOME = "success or failure";
    private static final String PENDING = "pending, or left out";
    private static final String PULL_REQUEST = "the number of a pull request, or left out";
    private static final Set<Integer> NOT_IN_REFS =
            Set.of((int) Character.SURROGATE, (int) Character.FORMAT, (int) Character.LINE_SEPARATOR, (int)
                    Character.PARAGRAPH_SEPARATOR);
    private static final long PRIORITY_MAX = 1_000_000_000;

    private final JsonNode root;

    private RequestBody(JsonNode root) {
        this.root = root;
    }

    static RequestBody parse(byte[] bytes) {
        JsonNode root;
        try {
            root = JSON.readTree(utf8(bytes));
        } catch (IOException e) {
            throw ApiException.notJson("the body is not JSON");
        }
        if (!root.isObject()) {
            throw ApiException.notJson("the body is no JSON object");
        }
        return new RequestBody(root);
    }

    /** The parser would take UTF-16 and UTF-32 as well, and would read some broken UTF-8. */
    private static String utf8(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    QueueEvent.Acquire acquire(Requester requester) {
        Optional<AskedStatus> status = root.hasNonNull("status") ? Optional.of(status(PENDING)) : Optional.empty();
        if (status.isPresent() && status.get() != AskedStatus.PENDING) {
            throw ApiException.refused(
                    Rule.STATUS_CHANGE.code(),
                    "a request that acquires is pending, and cannot become "
                            + status.get().text(),
                    Rule.STATUS_CHANGE.sentence());
        }
        return new QueueEvent.Acquire(
                id(), Payload.of(headRef(), number("pull_request", PULL_REQUEST)), priority(), requester);
    }

    QueueEvent.Release release(Requester requester) {
        return new QueueEvent.Release(id(), status(OUTCOME), token(), requester);
    }

    QueueEvent.Withdraw withdraw(Requester requester) {
        return new QueueEvent.Withdraw(id(), token(), requester);
    }

    private RequestId id() {
        OptionalLong attempt = number("run_attempt", "a whole number from 1 to " + RequestId.ATTEMPT_MAX);
        if (attempt.isPresent() && attempt.getAsLong() > RequestId.ATTEMPT_MAX) {
            throw ApiException.validation("run_attempt", "a whole number from 1 to " + RequestId.ATTEMPT_MAX);
        }
        String headSha = word("head_sha");
        if (headSha.isEmpty()) {
            throw ApiException.validation("head_sha", WORD);
        }
        return new RequestId(headSha, word("run_id"), (int) attempt.orElse(1), word("job"));
    }

    /** Runs of CI services have numbers, which may be written as such. */
    private String word(String field) {
        JsonNode value = root.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        String text = value.isTextual() || field.equals("run_id") && value.isIntegralNumber() ? value.asText() : " ";
        if (!RequestId.isWord(text)) {
            throw ApiException.validation(field, WORD);
        }
        return text;
    }

    private String headRef() {
        JsonNode value = root.path("head_ref");
        if (!value.isTextual() || !isRef(value.textValue())) {
            throw ApiException.validation(
                    "head_ref",
                    "1 to " + Payload.HEAD_REF_BYTES_MAX + " bytes in UTF-8, without control and format characters");
        }
        return value.textValue();
    }

    /** Unpaired surrogates cannot be stored; the others would make two lines of one, or show other text than there is. */
    private static boolean isRef(String text) {
        return !text.isBlank()
                && text.getBytes(StandardCharsets.UTF_8).length <= Payload.HEAD_REF_BYTES_MAX
                && text.codePoints()
                        .noneMatch(point ->
                                Character.isISOControl(point) || NOT_IN_REFS.contains(Character.getType(point)));
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
        return number("token", "the token of the answer \"acquired\"");
    }

    private OptionalLong number(String field, String rule) {
        JsonNode value = root.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return OptionalLong.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 1) {
            throw ApiException.validation(field, rule);
        }
        return OptionalLong.of(value.longValue());
    }

    private AskedStatus status(String rule) {
        String text = root.path("status").asText();
        String usual = text.equals(Spelling.OTHER_STATUS) ? AskedStatus.ACQUIRED.text() : text;
        return Arrays.stream(AskedStatus.values())
                .filter(status -> status.text().equals(usual))
                .findFirst()
                .orElseThrow(() -> ApiException.validation("status", rule));
    }
}
