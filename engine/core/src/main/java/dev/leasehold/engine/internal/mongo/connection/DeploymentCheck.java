package dev.leasehold.engine.internal.mongo.connection;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.connection.ClusterConnectionMode;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.UnsupportedDeploymentException;
import dev.leasehold.engine.internal.mongo.errors.ErrorKind;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether driver, server and collection support leases. */
public final class DeploymentCheck {

    public static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

    private static final Logger LOG = LoggerFactory.getLogger(DeploymentCheck.class);

    private final MongoNamespace collection;

    public DeploymentCheck(MongoNamespace collection) {
        this.collection = collection;
    }

    /** Runs all checks, and returns the server's reply to {@code hello}. */
    public BsonDocument run(StoreContext context, ClientSession session) {
        judgeDriver(MongoCollection.class);
        BsonDocument hello = context.readable(collection.getDatabaseName())
                .runCommand(session, HELLO, ReadPreference.primary(), BsonDocument.class);
        judgeServer(hello, context.client().getClusterDescription().getConnectionMode());
        String ended = EndOfLife.of(hello);
        // Once for an engine: it opens its first partition before all others.
        if (ended != null && context.partition().index() == 0) {
            LOG.info("namespace '{}': {}", context.partition().namespace(), ended);
        }
        BsonDocument listed = context.readable(collection.getDatabaseName())
                .listCollections(session, BsonDocument.class)
                .filter(new BsonDocument("name", new BsonString(collection.getCollectionName())))
                .first();
        if (listed != null) {
            judgeCollection(listed);
            indexes(context, session).forEach(this::judgeIndex);
        }
        return hello;
    }

    /** The indexes of the collection; none if the user may not list them, which an engine does not need otherwise. */
    private static List<BsonDocument> indexes(StoreContext context, ClientSession session) {
        try {
            return context.readable().listIndexes(session, BsonDocument.class).into(new ArrayList<>());
        } catch (MongoCommandException e) {
            if (ErrorKind.code(e) != ErrorKind.UNAUTHORIZED) {
                throw e;
            }
            LOG.debug(
                    "namespace '{}': the indexes of the collection were not looked at: {}",
                    context.namespace(),
                    ErrorKind.words(e));
            return List.of();
        }
    }

    /**
     * Refuses drivers that do not support a client's {@code timeoutMS}. A framework often manages the version, so it
     * may be older than that of the build.
     *
     * @throws UnsupportedDeploymentException if the driver is older than 5.2
     */
    public void judgeDriver(Class<?> collectionType) {
        try {
            collectionType.getMethod("getTimeout", TimeUnit.class);
        } catch (NoSuchMethodException e) {
            CodeSource from = collectionType.getProtectionDomain().getCodeSource();
            throw unsupported("the MongoDB driver" + (from == null ? "" : " of " + from.getLocation())
                    + " is too old, and must be 5.2 or later. If a framework manages its version, set it there");
        }
    }

    /**
     * Refuses servers that cannot run transactions.
     *
     * @throws UnsupportedDeploymentException if there is no replica set, or the client connects directly to a node that
     *     is not the primary although others may be
     * @throws LeaseUnavailableException if the primary is changing, or the node is not yet part of a set
     */
    public void judgeServer(BsonDocument hello, ClusterConnectionMode mode) {
        if (isMongos(hello)) {
            return;
        }
        if (hello.getBoolean("isreplicaset", BsonBoolean.FALSE).getValue()) {
            throw new LeaseUnavailableException(
                    where()
                            + "the server belongs to a replica set that is not initiated, or has not loaded its configuration yet",
                    null);
        }
        if (!hello.containsKey("setName")) {
            throw unsupported(
                    "the server is a standalone one. Leases need transactions, and so a replica set, of one node"
                            + " at least, or a sharded cluster");
        }
        if (!hello.getBoolean("isWritablePrimary", BsonBoolean.FALSE).getValue()) {
            throw notPrimary(
                    hello.getString("setName").getValue(),
                    mode == ClusterConnectionMode.SINGLE && othersMayBePrimary(hello));
        }
    }

    private static boolean othersMayBePrimary(BsonDocument hello) {
        BsonValue me = hello.get("me");
        return me == null || !hello.getArray("hosts", new BsonArray()).equals(new BsonArray(List.of(me)));
    }

    public static boolean isMongos(BsonDocument hello) {
        return hello.containsKey("msg") && hello.get("msg").equals(new BsonString("isdbgrid"));
    }

    private RuntimeException notPrimary(String setName, boolean forGood) {
        if (forGood) {
            return unsupported("the client connects directly to a node of replica set '" + setName + "' that is not the"
                    + " primary. Name the replica set in the client's settings, so that it finds the primary");
        }
        return new LeaseUnavailableException(
                where() + "replica set '" + setName + "' is just changing its primary", null);
    }

    /**
     * Refuses collections that do not keep plain documents under ids compared byte for byte.
     *
     * @throws UnsupportedDeploymentException if it is a view, a time series, capped, or has a collation
     */
    void judgeCollection(BsonDocument listed) {
        String type = listed.getString("type", new BsonString("collection")).getValue();
        if (!type.equals("collection")) {
            throw unsupported("it is a " + type + ", and must be an ordinary collection");
        }
        BsonDocument options = listed.getDocument("options", new BsonDocument());
        if (options.getBoolean("capped", BsonBoolean.FALSE).getValue()) {
            throw unsupported("the collection is capped, and must be an ordinary one: leases must not fall out of it");
        }
        String locale = options.getDocument("collation", new BsonDocument())
                .getString("locale", new BsonString("simple"))
                .getValue();
        if (!locale.equals("simple")) {
            throw unsupported("the collection has a collation of locale '" + locale
                    + "', and must have the simple one: two different names must never be the same lease");
        }
    }

    /**
     * Refuses a unique index that may hold two lease documents to be the same.
     *
     * @throws UnsupportedDeploymentException if it is unique, and its key has no {@code _id}
     */
    void judgeIndex(BsonDocument index) {
        boolean unique = index.get("unique", BsonBoolean.FALSE).equals(BsonBoolean.TRUE);
        if (unique && !index.getDocument("key", new BsonDocument()).containsKey("_id")) {
            throw unsupported("the collection has the unique index '"
                    + index.getString("name", new BsonString("?")).getValue()
                    + "', and must have none besides that of _id: it refuses documents of leases. Drop that index, or keep"
                    + " leases in a collection of their own");
        }
    }

    private UnsupportedDeploymentException unsupported(String why) {
        return new UnsupportedDeploymentException(where() + why, null);
    }

    private String where() {
        return "collection '" + collection.getFullName() + "': ";
    }
}
