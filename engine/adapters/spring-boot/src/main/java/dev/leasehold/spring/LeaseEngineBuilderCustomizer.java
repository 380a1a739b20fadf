package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngineBuilder;

/** Changes settings of the application's engine after those of {@code leasehold.*} were applied. Any bean of this type is asked. */
@FunctionalInterface
public interface LeaseEngineBuilderCustomizer {

    /**
     * Changes settings.
     *
     * @param builder of the engine
     */
    void customize(LeaseEngineBuilder builder);
}
