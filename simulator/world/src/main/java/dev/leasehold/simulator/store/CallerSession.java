package dev.leasehold.simulator.store;

import com.mongodb.client.ClientSession;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.world.ProcessKilled;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.SimulatorFailure;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A driver session of a caller, with transactions of the caller's own. Used by one thread of its process.
 *
 * <p>Session and collection can do what an assertion needs; everything else throws a {@link SimulatorFailure} that names it.
 */
public final class CallerSession implements AutoCloseable {

    private final HeldTenure meant;
    private final int machine;
    private final int call;
    private final ThreadBoundary boundary;
    private final DriverSession session;
    private @Nullable HeldTenure asserted;

    CallerSession(
            SimulatedDatabase database,
            SimulatedProcess process,
            UUID driverSession,
            int call,
            HeldTenure meant,
            ThreadBoundary boundary) {
        this.meant = meant;
        this.machine = process.simulatedMachine().number();
        this.call = call;
        this.boundary = boundary;
        this.session = new DriverSession(database, process, driverSession, this);
    }

    /** By what the server tells it from others. */
    public UUID driverSession() {
        return session.id();
    }

    /** To begin and end transactions with, or to have them run by the driver's rules. */
    public ClientSession clientSession() {
        return session.proxy();
    }

    ThreadBoundary boundary() {
        return boundary;
    }

    void onStart() {
        asserted = null;
    }

    /** For the history: by this filter a lease was found. What the filter does not say is what is meant. */
    void onFound(BsonDocument filter) {
        asserted = new HeldTenure(
                Ids.nameOfLease(Statement.idIn(filter)),
                filter.getString("holder", new BsonString(meant.holder())).getValue(),
                filter.getInt64("token", new BsonInt64(meant.token())).getValue());
    }

    /** Of what is committed now. */
    Author author() {
        return new Author(Author.Kind.CALLER, machine, -1, call, asserted, meant);
    }

    /** Reads a document in the open transaction, by its id; null if there is none. Not to be changed. */
    public @Nullable BsonDocument read(String id) {
        Document found = session.read("read", id);
        return found == null ? null : found.bson();
    }

    /** Writes a document of the caller's own in the open transaction. */
    public void write(String document, long value) {
        session.write(
                "update",
                List.of(new Statement.OfUpdate(
                        new BsonDocument("_id", new BsonString(Ids.ofCaller(document))),
                        new BsonDocument("$set", new BsonDocument("value", new BsonInt64(value))),
                        true)));
    }

    /** Ends what is open. Never throws. */
    @Override
    public void close() {
        try {
            session.abort();
        } catch (ProcessKilled e) {
            // A killed process leaves nothing that it could end.
        }
    }
}
