package dev.leasehold.testkit.junit;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.testkit.TestLeases;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Makes test leases when a test asks for them first; JUnit closes them together with the store of the test. */
final class TestLeasesExtension implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(TestLeasesExtension.class);

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        // Otherwise a constructor would get leases of the class instead of the test's own.
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestLeases.class || type == LeaseEngine.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "each test has leases of its own, so there are none for the class: " + parameter.getParameter());
        }
        TestLeases leases = context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(Kept.class, key -> new Kept(TestLeases.create()), Kept.class)
                .leases();
        return parameter.getParameter().getType() == LeaseEngine.class ? leases.engine() : leases;
    }

    /** Before 5.13 JUnit closes nothing else, and later it can be told not to. */
    @SuppressWarnings("deprecation")
    private record Kept(TestLeases leases) implements Store.CloseableResource, AutoCloseable {

        @Override
        public void close() {
            leases.close();
        }
    }
}
