package dev.leasehold.mergequeue.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.mergequeue.queue.EndStatus;
import dev.leasehold.mergequeue.queue.EndedRequest;
import dev.leasehold.mergequeue.queue.Payload;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.queue.RequestId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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
