package dev.leasehold.mergequeue.store;

import dev.leasehold.mergequeue.queue.EndStatus;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.EndedRequest;
import dev.leasehold.mergequeue.queue.Hold;
import dev.leasehold.mergequeue.queue.Payload;
import dev.leasehold.mergequeue.queue.PendingRequest;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.queue.RequestId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A state as a document, and back. Times are nanoseconds of the provider's clock. */
final class StateCodec {

    static final String CLOCK = "clockNanos";
    static final String CHANGED = "changedNanos";
    static final String ROUND = "round";
    static final String PASSING_ON = "passingOn";
    static final String LAST_TOKEN = "lastToken";
    static final String LAST_SEQUENCE = "lastSequence";
    static final String HOLDER = "holder";
    static final String WAITING = "waiting";
    static final String ENDED = "ended";
    static final String HISTORY = "history";
    private static final String ALSO_WITHDRAWN = "alsoWithdrawn";

    private StateCodec() {}

    static BsonDocument document(QueueState state) {
        BsonDocument document = scalars(state);
        state.hold().ifPresent(hold -> document.append(HOLDER, hold(hold)));
        return document.append(WAITING, entries(state.waiting(), StateCodec::pending))
                .append(ENDED, entries(state.ended(), StateCodec::ended))
                .append(HISTORY, history(state.history()));
    }

    static BsonDocument scalars(QueueState state) {
        return new BsonDocument(CLOCK, new BsonInt64(state.clockNanos()))
                .append(CHANGED, new BsonInt64(state.changedNanos()))
                .append(ROUND, new BsonInt64(state.round()))
                .append(PASSING_ON, BsonBoolean.valueOf(state.passingOn()))
                .append(LAST_TOKEN, new BsonInt64(state.lastToken()))
                .append(LAST_SEQUENCE, new BsonInt64(state.lastSequence()));
    }

    static QueueState state(BsonDocument document) {
        return new QueueState(
                number(document, CLOCK),
                number(document, CHANGED),
                number(document, ROUND),
                document.getBoolean(PASSING_ON).getValue(),
                number(document, LAST_TOKEN),
                number(document, LAST_SEQUENCE),
                document.containsKey(HOLDER) ? hold(document.getDocument(HOLDER)) : null,
                inOrder(document.getDocument(WAITING), StateCodec::pending, PendingRequest::sequence),
                inOrder(document.getDocument(ENDED), StateCodec::ended, EndedRequest::endedNanos),
                document.getArray(HISTORY).stream()
                        .map(value -> endedHold(value.asDocument()))
                        .toList());
    }

    static BsonDocument hold(Hold hold) {
        return new BsonDocument("key", new BsonString(hold.key()))
                .append("request", pending(hold.request()))
                .append("token", new BsonInt64(hold.token()))
                .append("acquiredNanos", new BsonInt64(hold.acquiredNanos()));
    }

    private static Hold hold(BsonDocument document) {
        return new Hold(
                pending(document.getString("key").getValue(), document.getDocument("request")),
                number(document, "token"),
                number(document, "acquiredNanos"));
    }

    static BsonDocument pending(PendingRequest request) {
        return payload(request.payload())
                .append("by", new BsonString(request.by()))
                .append("priority", new BsonInt64(request.priority()))
                .append("round", new BsonInt64(request.round()))
                .append("sequence", new BsonInt64(request.sequence()))
                .append("registeredNanos", new BsonInt64(request.registeredNanos()))
                .append("seenNanos", new BsonInt64(request.seenNanos()))
                .append("delayed", new BsonInt32(request.delayed()));
    }

    private static PendingRequest pending(String key, BsonDocument document) {
        return new PendingRequest(
                RequestId.parse(key),
                payload(document),
                document.getString("by").getValue(),
                number(document, "priority"),
                number(document, "round"),
                number(document, "sequence"),
                number(document, "registeredNanos"),
                number(document, "seenNanos"),
                document.getInt32("delayed").getValue());
    }

    private static BsonDocument payload(Payload payload) {
        BsonDocument document = new BsonDocument("headRef", new BsonString(payload.headRef()));
        payload.pullRequest().ifPresent(number -> document.append("pullRequest", new BsonInt64(number)));
        return document;
    }

    private static Payload payload(BsonDocument document) {
        return new Payload(
                document.getString("headRef").getValue(),
                document.containsKey("pullRequest")
                        ? OptionalLong.of(number(document, "pullRequest"))
                        : OptionalLong.empty());
    }

    static BsonDocument ended(EndedRequest request) {
        BsonDocument document = payload(request.payload())
                .append("by", new BsonString(request.by()))
                .append("priority", new BsonInt64(request.priority()))
                .append("round", new BsonInt64(request.round()))
                .append("status", new BsonString(request.status().name()))
                .append("token", new BsonInt64(request.token()))
                .append("endedNanos", new BsonInt64(request.endedNanos()));
        if (request.winner() != null && request.winnerPayload() != null) {
            document.append(
                    "winner",
                    payload(request.winnerPayload())
                            .append("key", new BsonString(request.winner().key())));
        }
        if (!request.alsoWithdrawn().isEmpty()) {
            document.append(ALSO_WITHDRAWN, withdrawals(request.alsoWithdrawn()));
        }
        return document;
    }

    private static EndedRequest ended(String key, BsonDocument document) {
        BsonDocument winner = document.containsKey("winner") ? document.getDocument("winner") : null;
        return new EndedRequest(
                RequestId.parse(key),
                payload(document),
                document.getString("by").getValue(),
                number(document, "priority"),
                number(document, "round"),
                EndStatus.valueOf(document.getString("status").getValue()),
                winner == null ? null : RequestId.parse(winner.getString("key").getValue()),
                winner == null ? null : payload(winner),
                number(document, "token"),
                number(document, "endedNanos"),
                document.containsKey(ALSO_WITHDRAWN) ? withdrawals(document.getArray(ALSO_WITHDRAWN)) : Map.of());
    }

    /** Names of credentials may have characters that names of fields may not. */
    private static BsonArray withdrawals(Map<String, Long> nanosByName) {
        return new BsonArray(nanosByName.entrySet().stream()
                .map(entry -> new BsonDocument("by", new BsonString(entry.getKey()))
                        .append("withdrawnNanos", new BsonInt64(entry.getValue())))
                .toList());
    }

    private static Map<String, Long> withdrawals(BsonArray values) {
        Map<String, Long> nanosByName = new LinkedHashMap<>();
        values.forEach(value -> nanosByName.put(
                value.asDocument().getString("by").getValue(), number(value.asDocument(), "withdrawnNanos")));
        return nanosByName;
    }

    static BsonArray history(List<EndedHold> holds) {
        return new BsonArray(holds.stream().map(StateCodec::endedHold).toList());
    }

    private static BsonDocument endedHold(EndedHold hold) {
        return payload(hold.payload())
                .append("round", new BsonInt64(hold.round()))
                .append("token", new BsonInt64(hold.token()))
                .append("key", new BsonString(hold.id().key()))
                .append("priority", new BsonInt64(hold.priority()))
                .append("outcome", new BsonString(hold.outcome().name()))
                .append("size", new BsonInt32(hold.size()))
                .append("waitedNanos", new BsonInt64(hold.waitedNanos()))
                .append("heldNanos", new BsonInt64(hold.heldNanos()))
                .append("endedNanos", new BsonInt64(hold.endedNanos()));
    }

    private static EndedHold endedHold(BsonDocument document) {
        return new EndedHold(
                number(document, "round"),
                number(document, "token"),
                RequestId.parse(document.getString("key").getValue()),
                payload(document),
                number(document, "priority"),
                EndStatus.valueOf(document.getString("outcome").getValue()),
                document.getInt32("size").getValue(),
                number(document, "waitedNanos"),
                number(document, "heldNanos"),
                number(document, "endedNanos"));
    }

    private static <T> BsonDocument entries(Map<String, T> values, Function<T, BsonValue> encode) {
        BsonDocument document = new BsonDocument();
        values.forEach((key, value) -> document.append(key, encode.apply(value)));
        return document;
    }

    /** The server keeps the fields of a document in no order that could be relied on after updates. */
    private static <T> Map<String, T> inOrder(
            BsonDocument document, BiFunction<String, BsonDocument, T> decode, ToLongFunction<T> order) {
        Map<String, T> result = new LinkedHashMap<>();
        document.entrySet().stream()
                .map(entry -> Map.entry(
                        entry.getKey(),
                        decode.apply(entry.getKey(), entry.getValue().asDocument())))
                .sorted(Comparator.comparingLong(entry -> order.applyAsLong(entry.getValue())))
                .forEach(entry -> result.put(entry.getKey(), entry.getValue()));
        return result;
    }

    private static long number(BsonDocument document, String field) {
        return document.getInt64(field).getValue();
    }
}
