package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.assertions.LeaseNames;
import org.bson.BsonInt32;

/** The names of all stored fields, and their paths in an entry of the clock document. */
public final class Fields {

    public static final String ID = "_id";
    public static final String TYPE = "type";

    public static final String SCHEMA = "schema";
    public static final String PARTITIONS = "partitions";
    public static final String WRITERS = "writers";
    public static final String TICKS = "ticks";
    public static final String TOKEN_FLOOR = "tokenFloor";

    static final String TIME = "time";
    static final String TXN = "txn";
    public static final String SESSION = "session";
    public static final String LSID = "lsid";
    static final String DRIFT = "drift";

    static final String NAMESPACE = "namespace";
    static final String NAME = "name";
    public static final String HOLDER = "holder";
    public static final String TOKEN = "token";
    static final String WRITER = "writer";
    static final String WRITTEN = "written";
    static final String EXPIRY = "expiry";
    static final String GATES = "gates";
    static final String COMMENT = "comment";
    public static final String PAYLOAD = "payload";
    public static final String SINCE = "since";
    public static final String PINS = "pins";
    static final String STRIPES = "stripes";
    public static final String DONE = "done";
    public static final String WAITERS = "waiters";
    public static final String TICKETS = "tickets";
    static final String STAMP = "stamp";
    static final String PRIORITY = "priority";

    /** The types of documents. */
    static final String CLOCK = "clock";

    static final String LEASE = "lease";
    static final String GATE = "gate";
    public static final String OCCURRENCE = "occurrence";
    static final String QUEUE = "queue";

    /** No field, but what a projection computes. */
    public static final String STAMPS = "stamps";

    /** Includes a field in a projection. */
    public static final BsonInt32 WANTED = new BsonInt32(1);

    static final String WRITER_RULE =
            "must be 1 to 256 characters without '.' and '$', since it is a key in the map of writers";

    /** Names of engines are far shorter. Longer ones would enlarge every read of their entries. */
    private static final int WRITER_LENGTH_MAX = 256;

    private Fields() {}

    /** Whether a text can be the key of an entry. The server would read a dot as a path, and a dollar sign as an operator. */
    static boolean isWriter(String text) {
        return !text.isEmpty()
                && text.length() <= WRITER_LENGTH_MAX
                && text.indexOf('.') < 0
                && text.indexOf('$') < 0
                && text.indexOf(0) < 0;
    }

    /** The path of a writer's entry in the clock document. */
    public static String entry(String writer) {
        if (!isWriter(writer)) {
            throw new IllegalArgumentException("writer " + LeaseNames.quote(writer) + " is refused: it " + WRITER_RULE);
        }
        return WRITERS + "." + writer;
    }

    /** The path of a field of the entry. */
    static String entry(String writer, String field) {
        return entry(writer) + "." + field;
    }
}
