package dev.leasehold.mergequeue.replica;

import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.EndedWait;
import dev.leasehold.mergequeue.queue.QueueState;
import java.util.List;

/** Is told what was decided and stored. */
public interface DecisionListener {

    /**
     * A batch has committed. Must not block, nor throw.
     *
     * @param provider of the decision
     * @param ended the holds that ended with it
     * @param waits the waits that ended with it
     * @param events how many events shared the write
     */
    void committed(String provider, List<EndedHold> ended, List<EndedWait> waits, int events);

    /**
     * This replica serves the provider. Is not called again after {@link #left}, however late a batch ends, until the replica serves the
     * provider anew. Must not block, nor throw.
     *
     * @param provider which
     * @param state after the last batch
     */
    void serves(String provider, QueueState state);

    /**
     * This replica does not serve the provider any more.
     *
     * @param provider which
     */
    void left(String provider);
}
