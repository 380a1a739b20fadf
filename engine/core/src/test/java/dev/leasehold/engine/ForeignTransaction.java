package dev.leasehold.engine;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;

/** A transaction of another client which has written one document, and sits on it until it is closed: it is undone then. */
final class ForeignTransaction implements AutoCloseable {

    private final ClientSession session;

    private ForeignTransaction(ClientSession session) {
        this.session = session;
    }

    static ForeignTransaction on(Engines engines, String documentId) {
        ClientSession session = engines.database().client().startSession();
        session.startTransaction();
        engines.documents().updateOne(session, Filters.eq("_id", documentId), Updates.inc("touched", 1));
        return new ForeignTransaction(session);
    }

    @Override
    public void close() {
        session.abortTransaction();
        session.close();
    }
}
