package dev.leasehold.mergequeue.store;

/** A document is not what this service writes: that of a provider, which harms no other, or that of the tokens of all. */
public final class DamagedStateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    private DamagedStateException(String document, String remedy, RuntimeException cause) {
        super(document + " cannot be read: " + cause.getMessage(), cause);
        this.remedy = remedy;
    }

    static DamagedStateException ofProvider(String provider, RuntimeException cause) {
        return new DamagedStateException(
                "the document of provider '" + provider + "'",
                "An operator has to mend the provider's document, or to clear the queue, which makes a new one.",
                cause);
    }

    static DamagedStateException ofTokens(String id, RuntimeException cause) {
        return new DamagedStateException(
                "the document '" + id + "' of the collection settings, from which all tokens are counted,",
                "An operator has to put back the document of the collection settings from a backup.",
                cause);
    }

    /** {@return what an operator has to do} */
    public String remedy() {
        return remedy;
    }
}
