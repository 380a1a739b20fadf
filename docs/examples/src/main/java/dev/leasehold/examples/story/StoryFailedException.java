package dev.leasehold.examples.story;

/** Something happened that must not happen, so that the story cannot be told. */
public final class StoryFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoryFailedException(String message) {
        super(message);
    }

    /** Fails unless all went as told. */
    public static void unless(boolean asTold, String otherwise) {
        if (!asTold) {
            throw new StoryFailedException(otherwise);
        }
    }
}
