package dev.leasehold.engine;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets every test await for longer than the 10 s of Awaitility, which a busy machine may need. JUnit finds it by itself. */
public final class AwaitTimeout implements BeforeAllCallback {

    /** For JUnit. */
    public AwaitTimeout() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    }
}
