package dev.leasehold.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;

/** How the result of a method tells that its work has ended, until which the lease is held. */
enum ResultKind {
    /** The work ends when the method returns. */
    DIRECT,
    /** The work ends with the stage that the method returns. */
    STAGE,
    /** The work begins with a subscription, and ends with that. */
    MONO,
    /** As {@link #MONO}, with any number of values. */
    FLUX;

    private static final String REACTOR = "reactor.core.publisher.";

    /** Work may go on behind these, or begin later, and none of them tells each end of it. By name: few applications have all of them. */
    private static final List<String> LATE = List.of(
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Callable",
            "java.util.concurrent.Flow$Publisher",
            "java.util.stream.BaseStream",
            "org.reactivestreams.Publisher",
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Job",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final String SUSPEND = "kotlin.coroutines.Continuation";

    /**
     * Looks at what a method returns.
     *
     * @throws IllegalArgumentException if its work may go on when it has returned, and its end cannot be seen
     */
    static ResultKind of(Method method) {
        for (Class<?> parameter : method.getParameterTypes()) {
            if (parameter.getName().equals(SUSPEND)) {
                throw new IllegalArgumentException(
                        "the method is a suspend function, so its work goes on when it has returned, and the lease"
                                + " would be released before that. Use runBlocking inside of an ordinary function");
            }
        }
        Class<?> result = method.getReturnType();
        if (result == CompletionStage.class || result == CompletableFuture.class) {
            return STAGE;
        } else if (result.getName().equals(REACTOR + "Mono")) {
            return MONO;
        } else if (result.getName().equals(REACTOR + "Flux")) {
            return FLUX;
        } else if (isLate(result)) {
            throw new IllegalArgumentException("the method returns a " + result.getName()
                    + ", so its work may go on when it has returned, and the lease would be released before that."
                    + " Let it wait for the work, or return CompletionStage, CompletableFuture, Mono or Flux");
        }
        return DIRECT;
    }

    private static boolean isLate(Class<?> result) {
        return LATE.stream().anyMatch(name -> isA(result, name))
                || (!result.isPrimitive()
                        && result != Object.class
                        && ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null);
    }

    private static boolean isA(@Nullable Class<?> type, String name) {
        return type != null
                && (type.getName().equals(name)
                        || isA(type.getSuperclass(), name)
                        || Stream.of(type.getInterfaces()).anyMatch(each -> isA(each, name)));
    }

    /** What a call returns that was skipped. Not for publishers, which are asked when they are subscribed to. */
    @Nullable Object nothing(Method method) {
        return this == STAGE
                ? CompletableFuture.completedFuture(null)
                : method.getReturnType() == Optional.class ? Optional.empty() : null;
    }
}
