package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.engine.LeaseEngineBuilder;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes builders of engines with another runtime and store, for the test kit.
 *
 * <p>This is the only class below the public package that is used by a public class and makes one. The test kit hands out public builders, so that tests
 * set an engine up as services do; but a public constructor without a client would be offered to every user. So {@link LeaseEngineBuilder}
 * lends its private constructor to this class, which is not exported, as classes of the JDK do with each other.
 */
public final class EngineBuilders {

    private static volatile @Nullable Function<EngineDeployment, LeaseEngineBuilder> factory;

    private EngineBuilders() {}

    /** Called by the builder class, which has the only access to its constructor. */
    public static void registerFactory(Function<EngineDeployment, LeaseEngineBuilder> factory) {
        EngineBuilders.factory = factory;
    }

    /** A builder that needs no client and uses the deployment. */
    public static LeaseEngineBuilder on(EngineDeployment deployment) {
        try {
            MethodHandles.lookup().ensureInitialized(LeaseEngineBuilder.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a public class of the same module cannot be reached", e);
        }
        return Objects.requireNonNull(factory).apply(deployment);
    }
}
