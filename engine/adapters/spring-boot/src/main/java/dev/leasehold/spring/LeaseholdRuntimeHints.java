package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep of the classes that expressions and the actuator look at by reflection. */
final class LeaseholdRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (Class<?> shown : LeasesEndpoint.class.getDeclaredClasses()) {
            hints.reflection().registerType(shown, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        hints.reflection().registerType(LeaseEngine.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.proxies().registerJdkProxy(LeaseEngine.class); // for LateEngine
    }
}
