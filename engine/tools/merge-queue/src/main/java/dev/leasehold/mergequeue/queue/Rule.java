package dev.leasehold.mergequeue.queue;

import java.util.Locale;

/** The rules by which callers are refused. */
public enum Rule {
    /** A release by one that does not hold. */
    NOT_HOLDER("Only the holder may release."),
    /** A release under the token of an earlier hold. */
    OLD_TOKEN("A release must carry the token of the present hold."),
    /** A release without a token. */
    TOKEN_REQUIRED(
            "A release must carry the token of the answer \"acquired\"; a run that does not know whether it was granted withdraws instead."),
    /** A request that was registered with other credentials. */
    NOT_YOURS(
            "Only the credentials that registered a request may poll, release or withdraw it; an operator may end it."),
    /** A change of status that callers may not ask for. */
    STATUS_CHANGE("A caller may change the status only from acquired to success or failure."),
    /** A waiter whose request an administrator took away. */
    QUEUE_CLEARED(
            "Requests that an administrator cleared are told so until the request TTL is over, and may register again after it."),
    /** More requests than allowed. */
    REQUEST_LIMIT("The number of requests and of kept outcomes of a provider is limited.");

    private final String sentence;

    Rule(String sentence) {
        this.sentence = sentence;
    }

    /** {@return the rule, for people} */
    public String sentence() {
        return sentence;
    }

    /** {@return the rule, for programs} */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
