package dev.leasehold.bench.measure;

/**
 * What an entrant is to reach.
 *
 * @param subject the entrant
 * @param quantity by which it is judged
 * @param limit on which side of the factor its ratio has to be
 * @param factor of the rival's value
 * @param peer what it is compared with
 */
public record Goal(String subject, Quantity quantity, Limit limit, double factor, Peer peer) {

    /** On which side. */
    public enum Limit {
        /** The factor or less. */
        AT_MOST("at most"),
        /** The factor or more. */
        AT_LEAST("at least");

        private final String words;

        Limit(String words) {
            this.words = words;
        }

        boolean allows(double ratio, double factor) {
            return this == AT_MOST ? ratio <= factor : ratio >= factor;
        }
    }

    /** {@return a goal by which the subject must not have more than so many times as much} */
    public static Goal atMost(String subject, Quantity quantity, double factor, Peer peer) {
        return new Goal(subject, quantity, Limit.AT_MOST, factor, peer);
    }

    /** {@return a goal by which the subject must have so many times as much} */
    public static Goal atLeast(String subject, Quantity quantity, double factor, Peer peer) {
        return new Goal(subject, quantity, Limit.AT_LEAST, factor, peer);
    }

    /** {@return the goal in words} */
    public String words() {
        return subject + ": " + quantity.title() + " " + limit.words + " " + peer.words(factor, quantity);
    }

    /** {@return whether it was met} */
    public Verdict judge(Result result) {
        return result.find(subject)
                .map(series -> peer.compare(this, series, result))
                .orElseGet(() -> new Verdict.NotMeasured(this, subject + " did not take part"));
    }

    Verdict verdict(Spread ratio, double deciding, String values) {
        return new Verdict.Judged(this, ratio, limit.allows(deciding, factor), values);
    }
}
