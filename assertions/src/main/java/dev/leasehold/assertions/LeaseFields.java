package dev.leasehold.assertions;

/** The fields of a lease document, or of a gate stripe, that an assertion touches. */
final class LeaseFields {

    static final String ID = "_id";
    static final String HOLDER = "holder";
    static final String TOKEN = "token";
    static final String COMMENT = "comment";

    /** Counts assertions. Nobody's guard looks at it, so that an assertion makes no engine's view stale. */
    static final String GATES = "gates";

    private LeaseFields() {}
}
