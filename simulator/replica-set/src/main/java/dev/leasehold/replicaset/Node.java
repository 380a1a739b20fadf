package dev.leasehold.replicaset;

import com.mongodb.MongoCommandException;
import java.util.Locale;
import java.util.Optional;
import org.bson.Document;

/**
 * One node of a {@link ReplicaSet}: the server process, and the faults that can be done to it.
 *
 * <p>What can be done depends on where the server came from. A process on this machine can have every fault. A
 * container cannot be started again. The nodes of an existing replica set cannot have faults of processes at all, only
 * {@link #stepDown()} and {@link #activate(FailPoint)}. What cannot be done throws {@link
 * UnsupportedOperationException} with the reason.
 *
 * <p>Safe for use by many threads; faults of one node happen one after the other. A thread that is interrupted while it
 * pauses or resumes a node gets an {@link IllegalStateException}, with the interrupt flag set; whether it happened is
 * unknown then.
 */
public abstract class Node {

    private static final int COMMAND_NOT_FOUND = 59;

    private final int index;
    private final String address;
    private final NodeConnection connection;

    Node(int index, String address, NodeConnection connection) {
        this.index = index;
        this.address = address;
        this.connection = connection;
    }

    /**
     * The place of this node in the set.
     *
     * @return 0 for the first node
     */
    public final int index() {
        return index;
    }

    /**
     * Where this node listens. It stays the same when the node is restarted.
     *
     * @return host and port
     */
    public final String address() {
        return address;
    }

    /**
     * Whether the process is there and not paused. The server itself is not asked.
     *
     * @return false after {@link #kill()}, {@link #terminate()} and {@link #pause()}, until the node is back
     */
    public abstract boolean isRunning();

    /**
     * Whether this node takes itself for the primary. An old primary may do so for some seconds after another one was
     * elected; {@link ReplicaSet#primary()} tells them apart.
     *
     * @return false also if it does not answer
     */
    public final boolean isPrimary() {
        return view().filter(NodeView::isPrimary).isPresent();
    }

    /**
     * Ends the process at once, without a chance to tell other nodes (SIGKILL). Returns when it is gone. A node that is not
     * there stays so.
     */
    public abstract void kill();

    /**
     * Asks the process to end in an orderly way (SIGTERM), and returns when it is gone. A paused process goes on for
     * that.
     */
    public abstract void terminate();

    /**
     * Freezes the process (SIGSTOP): its connections stay open, but nothing answers. Ends with {@link #resume()}.
     *
     * <p>A client that has not noticed yet may send a command to this node and wait for the answer until the node goes
     * on, even if another node is the primary by then. A test whose clients have no timeouts should end the pause from
     * another thread.
     *
     * @throws IllegalStateException if there is no process
     */
    public abstract void pause();

    /**
     * Lets a paused process go on (SIGCONT).
     *
     * @throws IllegalStateException if there is no process
     */
    public abstract void resume();

    /**
     * Starts the process again with its old data at its old address, after killing it if it is still there. Returns
     * when it takes connections; until it is a working member of the set again, see {@link ReplicaSet#heal()}.
     *
     * @throws ReplicaSetUnavailableException if it does not start
     */
    public abstract void restart();

    /**
     * Makes the primary a secondary. In a set of more nodes it is not elected again for five seconds; a lone node is
     * after one. Open transactions end, connections stay.
     *
     * @throws com.mongodb.MongoException if this node is not the primary, or if no other node is ready to follow
     */
    public final void stepDown() {
        connection.run(stepDownCommand());
    }

    /**
     * Switches a fail point of this node on, until the result is closed. A second one of the same name replaces the
     * first. It dies with the process.
     *
     * @param failPoint what is to fail
     * @return the means to switch it off
     * @throws UnsupportedOperationException if the server runs without {@code enableTestCommands=1}
     */
    public final ActiveFailPoint activate(FailPoint failPoint) {
        try {
            return ActiveFailPoint.on(this, failPoint);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() == COMMAND_NOT_FOUND) {
                throw new UnsupportedOperationException(
                        "fail points need a server with --setParameter enableTestCommands=1, " + this + " has not", e);
            }
            throw e;
        }
    }

    /**
     * Index and address.
     *
     * @return such as {@code node 0 (127.0.0.1:20017)}
     */
    @Override
    public final String toString() {
        return String.format(Locale.ROOT, "node %d (%s)", index, address);
    }

    /** How the node sees itself, or nothing if it is not there or does not answer. */
    final Optional<NodeView> view() {
        return isRunning() ? connection.view() : Optional.empty();
    }

    final NodeConnection connection() {
        return connection;
    }

    /** Undoes whatever was done to the process; returns before it has caught up. */
    void revive() {
        // Nothing can be done to what was not started here.
    }

    void close() {
        connection.close();
    }

    /** A lone node has no other to hand over to, and must be forced. */
    abstract boolean isAlone();

    private Document stepDownCommand() {
        return isAlone()
                ? new Document("replSetStepDown", 1)
                        .append("secondaryCatchUpPeriodSecs", 0)
                        .append("force", true)
                : new Document("replSetStepDown", 5).append("secondaryCatchUpPeriodSecs", 4);
    }
}
