package dev.leasehold.simulator.checker;

/** What is guaranteed, by the names of the specification. */
public enum Guarantee {
    G1(
            "A successful claim holds for at least the asked duration from the start of the call, unless that tenure is released."),
    G2("A successful extension guarantees the same, and never shortens."),
    G3("A lease is taken from its holder only when its last writer's clock has passed the expiry that it stored."),
    G4("The clock document never goes back for a writer."),
    G5("Tokens of one lease strictly increase; an equal token is the same tenure."),
    G6(
            "No caller's transaction commits under a token whose tenure is over, and one whose tenure stands is not refused for ever."),
    G7(
            "A dead holder's lease can be had within the bound, a live holder that reaches the database keeps its own, and no caller waits for ever."),
    G8(
            "Yes means committed with a majority, no means that it never happens, and nothing is held by an unknown outcome until it is resolved."),
    G9(
            "At most one caller's transaction with the record of one occurrence commits, and none does that work without it."),
    T2("Two holders never hold a lease at the same instant, each by its own clock."),
    LIM("Nothing overflows, waits a negative time, runs in circles or grows without bound.");

    private final String words;

    Guarantee(String words) {
        this.words = words;
    }

    /** The guarantee in a sentence. */
    public String words() {
        return words;
    }

    /** Whether breaking it is a matter of safety; else it is one of liveness or limits. */
    public boolean isSafety() {
        return this != G7 && this != LIM;
    }
}
