package dev.leasehold.engine;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** A transaction of another client which has written one document, and sits on it until it commits or is closed: it is undone then. */
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

    /** Makes it look like one that an engine left behind, which had registered as a writer. */
    ForeignTransaction ofWriter(Engines engines, String writer) {
        BsonDocument entry = new BsonDocument("time", new BsonInt64(1))
                .append("lsid", session.getServerSession().getIdentifier().get("id"));
        engines.documents().updateOne(Filters.eq("_id", Engines.NAMESPACE), Updates.set("writers." + writer, entry));
        return this;
    }

    /** Makes it look like one that the engine left behind which is that writer. */
    ForeignTransaction ofSessionOf(Engines engines, String writer) {
        engines.documents()
                .updateOne(
                        Filters.eq("_id", Engines.NAMESPACE),
                        Updates.set(
                                "writers." + writer + ".lsid",
                                session.getServerSession().getIdentifier().get("id")));
        return this;
    }

    /** Does what it was about to do, and must be able to. */
    void commits() {
        session.commitTransaction();
    }

    @Override
    public void close() {
        if (session.hasActiveTransaction()) {
            session.abortTransaction();
        }
        session.close();
    }
}
