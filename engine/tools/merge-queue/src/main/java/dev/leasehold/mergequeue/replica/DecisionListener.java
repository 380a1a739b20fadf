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
     * @param state after it
     * @param ended the holds that ended with it
     * @param waits the waits that ended with it
     * @param events how many events shared the write
     */
    void committed(String provider, QueueState state, List<EndedHold> ended, List<EndedWait> waits, int events);

    /**
     * This replica does not serve the provider any more.
     *
     * @param provider which
     */
    void left(String provider);
}
