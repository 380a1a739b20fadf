package dev.leasehold.engine.mongo;

/** Names of the stored fields. */
final class Fields {

    static final String ID = "_id";
    static final String TYPE = "type";

    static final String SCHEMA = "schema";
    static final String WRITERS = "writers";
    static final String TICKS = "ticks";
    static final String TOKEN_FLOOR = "tokenFloor";
    static final String TIME = "time";
    static final String TXN = "txn";
    static final String SESSION = "session";
    static final String LSID = "lsid";

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

    static final String CLOCK_TYPE = "clock";
    static final String LEASE_TYPE = "lease";

    private Fields() {}

    /** The path of a writer's entry. A dot or a dollar in the writer would make it another path. */
    static String entry(String writer) {
        if (writer.isEmpty() || writer.indexOf('.') >= 0 || writer.indexOf('$') >= 0) {
            throw new IllegalArgumentException("writer '" + writer + "' is no key: it must have no dot and no dollar sign");
        }
        return WRITERS + "." + writer;
    }

    static String entry(String writer, String field) {
        return entry(writer) + "." + field;
    }
}
