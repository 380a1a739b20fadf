package dev.leasehold.replicaset.junit;

import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.ReplicaSetSettings;
import dev.leasehold.replicaset.ReplicaSetUnavailableException;
import dev.leasehold.replicaset.TestDatabase;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Hands sets and databases to tests. What it keeps in a store, JUnit closes together with the store's context: see {@link Kept}. */
final class ReplicaSetExtension implements ParameterResolver, AfterEachCallback, ExecutionCondition {

    private static final Namespace NAMESPACE = Namespace.create(ReplicaSetExtension.class);
    private static final String SHARED = "shared set";
    private static final String EXISTING = "LEASEHOLD_MONGODB_URI";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return ownedBy(context).isPresent()
                        && !System.getenv().getOrDefault(EXISTING, "").isBlank()
                ? ConditionEvaluationResult.disabled("needs a replica set of its own, but " + EXISTING + " is set")
                : ConditionEvaluationResult.enabled("a replica set can be had");
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        // Otherwise a constructor would get the database of the class instead of the test's own.
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestDatabase.class || type == ReplicaSet.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ReplicaSet.class ? set(context) : database(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        owner(context)
                .map(owner -> owner.getStore(NAMESPACE).get(ownKey(owner), Kept.class))
                .ifPresent(kept -> kept.set().heal());
    }

    private static TestDatabase database(ExtensionContext context) {
        // Stores look into those of their parents: without the id a test would get the database of its class.
        String key = "database of " + context.getUniqueId();
        ReplicaSet set = set(context);
        return (TestDatabase) context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(key, k -> new Kept(set.newDatabase()), Kept.class)
                .closeable();
    }

    private static ReplicaSet set(ExtensionContext context) {
        return owner(context).map(ReplicaSetExtension::own).orElseGet(() -> shared(context));
    }

    private static ReplicaSet shared(ExtensionContext context) {
        Store store = context.getRoot().getStore(NAMESPACE);
        kept(store, SHARED, ReplicaSet::shared);
        // That one again, or another one if a test has closed that.
        ReplicaSet set = ReplicaSet.shared();
        store.put(SHARED, new Kept(set));
        return set;
    }

    private static ReplicaSet own(ExtensionContext owner) {
        ReplicaSetSettings settings = settings(ownedBy(owner).orElseThrow());
        return kept(owner.getStore(NAMESPACE), ownKey(owner), () -> ReplicaSet.start(settings));
    }

    static ReplicaSetSettings settings(WithOwnReplicaSet annotation) {
        ReplicaSetSettings settings = ReplicaSetSettings.ofNodes(annotation.nodes());
        if (annotation.authentication()) {
            settings = settings.withAuthentication();
        }
        for (String parameter : annotation.parameters()) {
            settings = with(parameter, settings);
        }
        return settings;
    }

    private static ReplicaSetSettings with(String parameter, ReplicaSetSettings settings) {
        int equals = parameter.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("a parameter must be name=value, is " + parameter);
        }
        return settings.withParameter(parameter.substring(0, equals), parameter.substring(equals + 1));
    }

    /** A failure is kept too, or each of many tests would wait for a server that cannot be had; but not that one test was interrupted. */
    private static ReplicaSet kept(Store store, String key, Supplier<ReplicaSet> start) {
        try {
            return store.getOrComputeIfAbsent(key, k -> new Kept(start.get()), Kept.class)
                    .set();
        } catch (ReplicaSetUnavailableException e) {
            if (Thread.currentThread().isInterrupted()) {
                // Throws the failure that is removed.
                store.remove(key);
            }
            throw e;
        }
    }

    /** The test or the class around it that is annotated. */
    private static Optional<ExtensionContext> owner(ExtensionContext context) {
        return ownedBy(context).isPresent()
                ? Optional.of(context)
                : context.getParent().flatMap(ReplicaSetExtension::owner);
    }

    private static Optional<WithOwnReplicaSet> ownedBy(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), WithOwnReplicaSet.class);
    }

    private static String ownKey(ExtensionContext owner) {
        return "set of " + owner.getUniqueId();
    }

    /** Before 5.13 JUnit closes nothing else, and later it can be told not to. */
    @SuppressWarnings({"deprecation", "try"})
    private record Kept(AutoCloseable closeable) implements Store.CloseableResource, AutoCloseable {

        ReplicaSet set() {
            return (ReplicaSet) closeable;
        }

        @Override
        public void close() throws Exception {
            closeable.close();
        }
    }
}
