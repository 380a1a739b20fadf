package dev.leasehold.assertions;

/** The fields of a lease document, or of a gate stripe, that an assertion touches, and those of the record of an occurrence. */
final class LeaseFields {

    static final String ID = "_id";
    static final String HOLDER = "holder";
    static final String TOKEN = "token";
    static final String COMMENT = "comment";

    /** Counts assertions. No guard looks at it, so that an assertion makes no engine's view stale. */
    static final String GATES = "gates";

    static final String TYPE = "type";
    static final String NAMESPACE = "namespace";
    static final String NAME = "name";
    static final String OCCURRENCE = "occurrence";
    static final String DONE = "done";

    private LeaseFields() {}
}
