package dev.leasehold.simulator.campaign;

import com.mongodb.MongoException;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.ReplicaSet;
import java.io.IOException;

/** Does faults, and undoes them. */
final class Faults {

    private static final int STEP_DOWN_ATTEMPTS = 5;

    private final ReplicaSet set;
    private final Contenders contenders;

    Faults(ReplicaSet set, Contenders contenders) {
        this.set = set;
        this.contenders = contenders;
    }

    /** Returns when it is undone: all nodes are at work then, and the networks are whole. */
    void happen(Fault fault) throws IOException, InterruptedException {
        switch (fault.kind()) {
            case STEP_DOWN -> stepDown();
            case KILL_PRIMARY -> killPrimary(fault);
            case PAUSE_NODE -> pauseNode(fault);
            case CUT_NETWORK -> contenders.cutNetwork(fault);
            case PAUSE_PROCESS -> contenders.pause(fault);
            case KILL_PROCESS -> contenders.replace(fault);
        }
    }

    private void stepDown() {
        for (int attempt = 1; ; attempt++) {
            try {
                set.primary().stepDown();
                set.heal();
                return;
            } catch (MongoException e) {
                // It has stepped down by itself meanwhile, or no other node has caught up yet.
                if (attempt == STEP_DOWN_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void killPrimary(Fault fault) throws InterruptedException {
        set.primary().kill();
        Thread.sleep(fault.durationMillis());
        set.heal();
    }

    private void pauseNode(Fault fault) throws InterruptedException {
        Node node = fault.atPrimary() ? set.primary() : fault.pick(set.nodes());
        node.pause();
        Thread.sleep(fault.durationMillis());
        set.heal();
    }
}
