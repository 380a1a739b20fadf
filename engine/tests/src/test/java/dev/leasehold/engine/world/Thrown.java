package dev.leasehold.engine.world;

/** Throws anything from anywhere, as code in a language without checked exceptions can. */
public final class Thrown {

    private Thrown() {}

    /** The compiler takes {@code X} for unchecked where nothing else is said. */
    @SuppressWarnings("unchecked")
    public static <X extends Throwable> void asItIs(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
