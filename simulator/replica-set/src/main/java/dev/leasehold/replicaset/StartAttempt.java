package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** How it went with one {@link MongodSource}. */
sealed interface StartAttempt {

    /** {@code said} completes the sentence "using ..." and must not contain a password. */
    record Found(Server server, String said) implements StartAttempt {}

    /** {@code reason} tells a user that wanted this way what to repair. */
    record NotFound(String reason) implements StartAttempt {}

    /** What went wrong, also with a file: the message of such a failure can be its path alone. */
    static String textOf(IOException failure) {
        return failure instanceof FileSystemException ? failure.toString() : String.valueOf(failure.getMessage());
    }
}
