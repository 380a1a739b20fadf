package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.engine.LeaseEngineBuilder;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes builders of engines with another runtime and store, for the test kit, without a public method for that. */
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
