package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.queue.EndedRequest;
import dev.leasehold.mergequeue.queue.Hold;
import dev.leasehold.mergequeue.queue.Payload;
import dev.leasehold.mergequeue.queue.PendingRequest;
import dev.leasehold.mergequeue.queue.QueueAnswer;
import dev.leasehold.mergequeue.queue.RequestId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a caller is told, as the body of a response. */
final class AnswerBody {

    private AnswerBody() {}

    /**
     * The body.
     *
     * @throws ApiException if the answer is no
     */
    static Map<String, Object> of(String provider, QueueAnswer answer, Spelling spelling) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("provider", provider);
        if (answer instanceof QueueAnswer.Refused refused) {
            throw ApiException.refused(refused);
        } else if (answer instanceof QueueAnswer.Pending pending) {
            Map<String, Object> request = request(pending.request(), "pending");
            request.put("place", pending.place());
            body.put("request", request);
            body.put("waits_for", pending.waitsFor().name().toLowerCase(Locale.ROOT));
        } else if (answer instanceof QueueAnswer.Acquired acquired) {
            body.put("request", holder(acquired.hold(), spelling.acquired()));
            body.put("stacked_requests", stacked(acquired.stacked()));
            body.put("stacked_pull_requests", pullRequests(acquired.stacked()));
        } else if (answer instanceof QueueAnswer.Ended ended) {
            ended(body, ended.request());
        } else if (answer instanceof QueueAnswer.Cleared cleared) {
            body.put("cleared_requests", cleared.requests());
        }
        return body;
    }

    private static List<Long> pullRequests(List<PendingRequest> requests) {
        return requests.stream()
                .flatMapToLong(request -> request.pullRequest().stream())
                .boxed()
                .toList();
    }

    private static Map<String, Object> request(PendingRequest request, String status) {
        return request(request.id(), request.payload(), request.priority(), status);
    }

    private static Map<String, Object> holder(Hold hold, String status) {
        Map<String, Object> request = request(hold.request(), status);
        request.put("token", hold.token());
        request.put("place", 0);
        return request;
    }

    private static Map<String, Object> request(RequestId id, Payload payload, long priority, String status) {
        Map<String, Object> request = named(id, payload);
        request.put("priority", priority);
        request.put("status", status);
        return request;
    }

    /** What the caller left out is left out. */
    private static Map<String, Object> named(RequestId id, Payload payload) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("head_sha", id.headSha());
        if (!id.runId().isEmpty()) {
            request.put("run_id", id.runId());
        }
        if (!id.runId().isEmpty() || id.attempt() > 1) {
            request.put("run_attempt", id.attempt());
        }
        if (!id.job().isEmpty()) {
            request.put("job", id.job());
        }
        request.put("head_ref", payload.headRef());
        payload.pullRequest().ifPresent(number -> request.put("pull_request", number));
        return request;
    }

    private static List<Map<String, Object>> stacked(List<PendingRequest> requests) {
        return requests.stream().map(request -> request(request, "pending")).toList();
    }

    private static void ended(Map<String, Object> body, EndedRequest ended) {
        Map<String, Object> request = request(
                ended.id(), ended.payload(), ended.priority(), ended.status().told());
        if (ended.status().held()) {
            request.put("token", ended.token());
        }
        body.put("request", request);
        if (ended.winner() != null && ended.winnerPayload() != null) {
            Map<String, Object> winner = named(ended.winner(), ended.winnerPayload());
            winner.put("token", ended.token());
            body.put("winner", winner);
        }
    }
}
