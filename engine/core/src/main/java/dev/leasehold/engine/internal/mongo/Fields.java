package dev.leasehold.engine.internal.mongo;

/** The names of all fields that are stored. */
final class Fields {

    static final String ID = "_id";
    static final String TYPE = "type";

    static final String SCHEMA = "schema";
    static final String PARTITIONS = "partitions";
    static final String WRITERS = "writers";
    static final String TICKS = "ticks";
    static final String TOKEN_FLOOR = "tokenFloor";

    static final String TIME = "time";
    static final String TXN = "txn";
    static final String SESSION = "session";
    static final String LSID = "lsid";
    static final String DRIFT = "drift";

    static final String NAMESPACE = "namespace";
    static final String NAME = "name";
    static final String HOLDER = "holder";
    static final String TOKEN = "token";
    static final String WRITER = "writer";
    static final String WRITTEN = "written";
    static final String EXPIRY = "expiry";
    static final String GATES = "gates";
    static final String COMMENT = "comment";
    static final String SINCE = "since";
    static final String PINS = "pins";
    static final String STRIPES = "stripes";

    /** The type of a clock document. */
    static final String CLOCK = "clock";

    /** The type of a lease document. */
    static final String LEASE = "lease";

    /** The type of a gate stripe. */
    static final String GATE = "gate";

    private Fields() {}
}
