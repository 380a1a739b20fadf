package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.engine.LeaseEngineBuilder;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes builders whose engines run on something else than this machine and MongoDB. For the test kit, which must not need a public
 * method for that.
 */
public final class EngineBuilders {

    private static volatile @Nullable Function<EngineDeployment, LeaseEngineBuilder> maker;

    private EngineBuilders() {}

    /** Called by the builder's class, which alone can make one. */
    public static void registerFactory(Function<EngineDeployment, LeaseEngineBuilder> constructor) {
        maker = constructor;
    }

    /** A builder that needs no client, and whose engines run there. */
    public static LeaseEngineBuilder on(EngineDeployment deployment) {
        try {
            MethodHandles.lookup().ensureInitialized(LeaseEngineBuilder.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a public class of the same module cannot be reached", e);
        }
        return Objects.requireNonNull(maker).apply(deployment);
    }
}
