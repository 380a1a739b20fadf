package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a test of the contract may do to a deployment, be it a real replica set or a simulated one. All stores and callers of
 * a test have the same way to the database, so that what befalls it befalls them all.
 */
interface ContractDeployment {

    /** Runs a test where its stores may be used, and clears up behind it. */
    void play(Story story) throws Throwable;

    /** A test. */
    interface Story {
        void run() throws Throwable;
    }

    /** A store that is not open yet, in a driver session of its own. It waits long enough for whatever goes well in the end. */
    default LeaseStore connect() {
        return connect(Partition.whole(Fixture.NAMESPACE));
    }

    /** The same, for a partition. */
    LeaseStore connect(Partition partition);

    /** The same as the first, but what waits behind others is not soon given up, however slow the machine is. */
    default LeaseStore connectPatiently() {
        return connect();
    }

    /** The same, but it gives up what has no answer within about a second. What is late befalls such stores alone. */
    LeaseStore connectImpatiently();

    /** A program that runs transactions of its own, in a driver session of its own. */
    Caller caller();

    /** From now on, and until it is mended, this befalls every command. */
    void befall(Mishap mishap);

    /** This befalls the next command alone. */
    void befallOnce(Mishap mishap);

    /** From now on nothing befalls anything, and what is late comes in its own time. */
    void mend();

    /** Returns when nothing is late any more. */
    void awaitLatecomers();

    /** Lets a part of the test go on beside the rest. */
    <T> Meanwhile<T> meanwhile(Supplier<T> part);

    /** Returns when a command of that part waits in the server. */
    void awaitBlocked(Meanwhile<?> part);

    /** Lets some time pass where it is simulated; where it is not, it does so by itself. */
    void passTime();

    /** From now on no majority has what is written. */
    void stopReplication();

    void resumeReplication();

    /** Returns when a majority has all that was written. */
    void awaitReplication();

    /** The token of a lease as the primary has it, whether a majority has it or not; null where there is no such document. */
    @Nullable Long newestToken(String lease);

    /** Another node becomes the primary, in good order. */
    void replacePrimary();

    /** The primary is gone, with everything that no majority has, and the others elect another one and replicate. */
    void losePrimary();

    /** Transactions that begin from now on may stay open only for a short time. */
    void limitLifetime();

    /** Makes a lease document one that breaks the schema. */
    void corrupt(String lease);

    /** Makes a queue document one that breaks the schema. */
    void corruptQueue(String lease);
}
