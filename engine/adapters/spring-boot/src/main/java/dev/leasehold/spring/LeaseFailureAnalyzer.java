package dev.leasehold.spring;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Says in one paragraph why an application has no lease engine, instead of one exception inside of the other. */
class LeaseFailureAnalyzer implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        boolean isOfEngine = false;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof BeanCreationException creation) {
                isOfEngine |= "leaseEngine".equals(creation.getBeanName());
            } else if (isOfEngine && (each instanceof LeaseException || each instanceof IllegalArgumentException)) {
                return new FailureAnalysis(
                        "The lease engine cannot start: " + each.getMessage(), action(each), failure);
            }
        }
        return null;
    }

    private static String action(Throwable failure) {
        if (failure instanceof LeaseUnavailableException) {
            return "Start MongoDB, and see that spring.mongodb.uri leads to it. leasehold.operation-budget gives a slow one more time;"
                    + " leasehold.start-without-database=true lets the application start while MongoDB is away.";
        }
        return "Change what the description names. The settings are those of docs/spring.md, under leasehold.*";
    }
}
