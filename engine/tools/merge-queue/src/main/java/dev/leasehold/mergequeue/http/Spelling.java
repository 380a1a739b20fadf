package dev.leasehold.mergequeue.http;

/** How a caller spells "acquire", and wants it spelt. */
enum Spelling {
    /** As it is spelt. */
    USUAL("acquired"),
    /** As clients of an older service spell it. */
    OTHER(Spelling.OTHER_STATUS);

    static final String OTHER_STATUS = "aquired";

    private final String acquired;

    Spelling(String acquired) {
        this.acquired = acquired;
    }

    String acquired() {
        return acquired;
    }
}
