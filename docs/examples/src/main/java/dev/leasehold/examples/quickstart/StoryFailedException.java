package dev.leasehold.examples.quickstart;

/** Something happened that must not happen, so that the story cannot be told. */
final class StoryFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StoryFailedException(String message) {
        super(message);
    }

    static void unless(boolean asTold, String otherwise) {
        if (!asTold) {
            throw new StoryFailedException(otherwise);
        }
    }
}
