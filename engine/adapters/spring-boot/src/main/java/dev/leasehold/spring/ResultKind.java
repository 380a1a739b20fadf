package dev.leasehold.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** How the result of a method tells that its work has ended, until which the lease is held. */
enum ResultKind {
    /** The work ends when the method returns. */
    DIRECT,
    /** As {@link #DIRECT}, but the type does not tell: the method may return anything. */
    ANYTHING,
    /** As {@link #DIRECT}, with an {@link Optional}, which is empty for a call that was skipped. */
    OPTIONAL,
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
            "java.util.Iterator",
            "java.lang.Runnable",
            "com.mongodb.client.MongoIterable",
            "org.reactivestreams.Publisher",
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.channels.ReceiveChannel",
            "kotlin.sequences.Sequence",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final String SUSPEND = "kotlin.coroutines.Continuation";

    /** Results may be inside of others, as in a {@code ResponseEntity<Flux<String>>}; a type may also be inside of itself. */
    private static final int DEPTH = 4;

    /**
     * Looks at what a method returns.
     *
     * @param type the class of the bean, which may have inherited the method, and say what it returns
     * @throws IllegalArgumentException if its work may go on when it has returned, and its end cannot be seen
     */
    static ResultKind of(Class<?> type, Method method) {
        for (Class<?> parameter : method.getParameterTypes()) {
            if (parameter.getName().equals(SUSPEND)) {
                throw new IllegalArgumentException(
                        "the method is a suspend function, so its work goes on when it has returned, and the lease"
                                + " would be released before that. Let an ordinary function return mono { ... } or future { ... }, or wait by"
                                + " runBlocking");
            }
        }
        ResolvableType result = ResolvableType.forMethodReturnType(method, type);
        ResultKind kind = of(result.toClass());
        Optional<Class<?>> late = kind.isDirect() ? late(result, DEPTH) : lateInside(result, DEPTH);
        if (late.isPresent()) {
            String inside = late.get() == result.toClass()
                    ? ""
                    : " in a " + result.toClass().getName();
            throw new IllegalArgumentException("the method returns a "
                    + late.get().getName() + inside
                    + ", so its work may go on when it has returned, and the lease would be released before that."
                    + " Let it wait for the work, or return CompletionStage, CompletableFuture, Mono or Flux");
        }
        return result.toClass() == Optional.class ? OPTIONAL : kind;
    }

    /**
     * Looks at what a method has returned whose type did not tell.
     *
     * @throws IllegalStateException if its work may go on
     */
    @Nullable Object checked(Method method, @Nullable Object result) {
        if (this == ANYTHING && result != null) {
            late(ResolvableType.forClass(result.getClass()), 0).ifPresent(late -> {
                throw new IllegalStateException(ClassUtils.getQualifiedMethodName(method) + " returned a "
                        + late.getName()
                        + ", whose work may go on when the lease is released. Let it wait for the work, or declare that it returns"
                        + " CompletionStage, CompletableFuture, Mono or Flux, and not Object");
            });
        }
        return result;
    }

    private static ResultKind of(Class<?> result) {
        if (result == CompletionStage.class || result == CompletableFuture.class) {
            return STAGE;
        } else if (result.getName().equals(REACTOR + "Mono")) {
            return MONO;
        }
        return result.getName().equals(REACTOR + "Flux") ? FLUX : result == Object.class ? ANYTHING : DIRECT;
    }

    private static Optional<Class<?>> late(ResolvableType result, int depth) {
        return !of(result.toClass()).isDirect() || isLate(result.toClass())
                ? Optional.of(result.toClass())
                : lateInside(result, depth);
    }

    private static Optional<Class<?>> lateInside(ResolvableType result, int depth) {
        return depth == 0
                ? Optional.empty()
                : Stream.concat(Stream.of(result.getGenerics()), Stream.of(result.getComponentType()))
                        .flatMap(part -> late(part, depth - 1).stream())
                        .findFirst();
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
    @Nullable Object nothing() {
        return this == STAGE ? CompletableFuture.completedFuture(null) : this == OPTIONAL ? Optional.empty() : null;
    }

    /** {@return whether the work ends when the method returns} */
    boolean isDirect() {
        return this == DIRECT || this == ANYTHING || this == OPTIONAL;
    }
}
