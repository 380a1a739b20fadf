package dev.leasehold.mergequeue.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.mergequeue.queue.EndStatus;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.EndedRequest;
import dev.leasehold.mergequeue.queue.Hold;
import dev.leasehold.mergequeue.queue.Payload;
import dev.leasehold.mergequeue.queue.PendingRequest;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.queue.RequestId;
import dev.leasehold.mergequeue.queue.Requester;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is stored of a provider is what is read back. */
class StateCodecTest {

    private static final RequestId RUN = new RequestId("sha", "run", 1, "job");

    @Test
    void withdrawalsOfSeveralCredentialsAreReadAsTheyWereStored() {
        QueueState state = withdrawn(Map.of("ci", 17L, "a.name with $ and dots", 18L));

        assertThat(StateCodec.state(StateCodec.document(state))).isEqualTo(state);
    }

    @Test
    void outcomeOfAnEarlierVersionWasWithdrawnByNoOthers() {
        QueueState state = withdrawn(Map.of());

        assertThat(StateCodec.document(state).toJson()).doesNotContain("alsoWithdrawn");
        assertThat(StateCodec.state(StateCodec.document(state))).isEqualTo(state);
    }

    @Test
    @DisplayName("The largest document that the bounds allow is smaller than the 16 MB of MongoDB")
    void largestDocumentFits() {
        Payload payload = new Payload("r".repeat(Payload.HEAD_REF_BYTES_MAX), OptionalLong.of(Long.MAX_VALUE));
        String by = "b".repeat(Requester.NAME_BYTES_MAX);
        EndStatus status = EndStatus.HOLD_WITHDRAWN;
        assertThat(EndStatus.values())
                .allMatch(other -> other.name().length() <= status.name().length());
        Map<String, EndedRequest> ended = new LinkedHashMap<>();
        for (int i = 0; i < QueueSettings.REQUESTS_MAX * QueueSettings.OUTCOMES_PER_REQUEST; i++) {
            RequestId id = longest(i);
            ended.put(id.key(), new EndedRequest(id, payload, by, 1, 1, status, id, payload, 1, 1));
        }
        PendingRequest pending = new PendingRequest(longest(0), payload, by, 1, 1, 1, 1, 1, 1);
        EndedHold past = new EndedHold(1, 1, longest(0), payload, 1, status, 1, 1, 1, 1);
        QueueState state = new QueueState(
                1,
                1,
                1,
                true,
                1,
                1,
                new Hold(pending, 1, 1),
                Map.of(),
                ended,
                Collections.nCopies(QueueState.HISTORY_MAX, past));

        assertThat(size(StateCodec.document(state))).isLessThan(16 * 1024 * 1024);
        assertThat(size(StateCodec.pending(pending)))
                .as("a request that waits takes less room than its outcome will")
                .isLessThan(size(StateCodec.ended(ended.get(longest(0).key()))));
    }

    private static int size(BsonDocument document) {
        return new RawBsonDocument(document, new BsonDocumentCodec())
                .getByteBuffer()
                .remaining();
    }

    private static RequestId longest(int number) {
        String word = String.format(Locale.ROOT, "%0" + RequestId.LENGTH_MAX + "d", number);
        return new RequestId(word, word, RequestId.ATTEMPT_MAX, word);
    }

    private static QueueState withdrawn(Map<String, Long> others) {
        EndedRequest outcome = new EndedRequest(
                RUN,
                Payload.of("", OptionalLong.empty()),
                "other",
                0,
                1,
                EndStatus.WITHDRAWN,
                null,
                null,
                0,
                16,
                others);
        return new QueueState(20, 0, 1, false, 0, 0, null, Map.of(), Map.of(RUN.key(), outcome), List.of());
    }
}
