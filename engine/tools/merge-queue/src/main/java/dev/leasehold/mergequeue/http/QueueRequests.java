package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.queue.QueueAnswer;
import dev.leasehold.mergequeue.queue.QueueEvent;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.Requester;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.replica.Replica.Served;
import dev.leasehold.mergequeue.store.DamagedStateException;
import io.javalin.http.Context;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests that change a queue: each goes to the replica that serves the provider. No thread waits meanwhile. */
final class QueueRequests {

    private static final Logger LOG = LoggerFactory.getLogger(QueueRequests.class);

    private final Configuration configuration;
    private final Replica replica;
    private final Forwarder forwarder;
    private final Executor answering;

    /** Answers are made on threads of their own: large ones must not keep those that serve the queues. */
    QueueRequests(Configuration configuration, Replica replica, Executor answering) {
        this.configuration = configuration;
        this.replica = replica;
        this.forwarder = new Forwarder(replica.address());
        this.answering = answering;
    }

    void acquire(Context ctx, Spelling spelling) {
        post(ctx, spelling, RequestBody::acquire);
    }

    void release(Context ctx) {
        post(ctx, Spelling.USUAL, RequestBody::release);
    }

    void withdraw(Context ctx) {
        post(ctx, Spelling.USUAL, RequestBody::withdraw);
    }

    private void post(Context ctx, Spelling spelling, BiFunction<RequestBody, Requester, QueueEvent> event) {
        ProviderKey key = key(ctx);
        QueueSettings settings = settings(key);
        Requester requester = Admission.requester(ctx);
        UnderWay.pause(ctx);
        ctx.future(() -> BodyReader.read(ctx, configuration.limits().bodyBytesMax())
                .thenApplyAsync(
                        body -> {
                            UnderWay.resume(ctx);
                            return new Request(
                                    key, settings, body, event.apply(RequestBody.parse(body), requester), spelling);
                        },
                        answering)
                .thenCompose(request -> dispatch(ctx, request)));
    }

    void clear(Context ctx) {
        ProviderKey key = key(ctx);
        Request request = new Request(key, settings(key), new byte[0], new QueueEvent.Clear(), Spelling.USUAL);
        ctx.future(() -> dispatch(ctx, request));
    }

    private record Request(ProviderKey key, QueueSettings settings, byte[] body, QueueEvent event, Spelling spelling) {}

    static ProviderKey key(Context ctx) {
        try {
            return new ProviderKey(ctx.pathParam("owner"), ctx.pathParam("repo"), ctx.pathParam("baseRef"));
        } catch (IllegalArgumentException e) {
            throw ApiException.invalidPath(String.valueOf(e.getMessage()));
        }
    }

    QueueSettings settings(ProviderKey key) {
        return configuration
                .settings(key.owner(), key.repo(), key.baseRef())
                .orElseThrow(() -> ApiException.unknownProvider(key.id()));
    }

    private CompletableFuture<?> dispatch(Context ctx, Request request) {
        return replica.serve(request.key(), request.settings())
                .thenCompose(served -> served(ctx, request, served))
                .toCompletableFuture();
    }

    private CompletionStage<?> served(Context ctx, Request request, Served served) {
        if (served instanceof Served.Here here) {
            return here.queue()
                    .submit(request.event())
                    .handleAsync(
                            (answer, failure) -> {
                                answer(ctx, request, answer, failure);
                                return null;
                            },
                            answering);
        }
        if (Forwarder.wasForwarded(ctx)) {
            throw ApiException.noOwner(
                    "this replica does not serve provider '" + request.key().id() + "'");
        }
        return forward(ctx, (Served.Elsewhere) served, request);
    }

    private static void answer(
            Context ctx, Request request, @Nullable QueueAnswer answer, @Nullable Throwable failure) {
        if (answer == null) {
            ErrorBody.write(ctx, whyNot(failure));
            return;
        }
        try {
            PlainText.orJson(ctx, AnswerBody.of(request.key().id(), answer, request.spelling()));
        } catch (ApiException e) {
            ErrorBody.write(ctx, e);
        }
    }

    private static ApiException whyNot(@Nullable Throwable failure) {
        String message = String.valueOf(failure == null ? null : failure.getMessage());
        return failure instanceof DamagedStateException damage
                ? ApiException.damaged(message, damage.remedy())
                : ApiException.noOwner(message);
    }

    private CompletionStage<?> forward(Context ctx, Served.Elsewhere elsewhere, Request request) {
        return forwarder
                .forward(elsewhere.address(), ctx, request.key(), request.body())
                .handleAsync(
                        (response, failure) -> {
                            if (response == null) {
                                LOG.debug(
                                        "Provider '{}': {} does not answer",
                                        request.key().id(),
                                        elsewhere.address(),
                                        failure);
                                elsewhere.forget().run();
                                ErrorBody.write(
                                        ctx,
                                        ApiException.noOwner("the replica that serves provider '"
                                                + request.key().id() + "' does not answer"));
                            } else {
                                passBack(ctx, elsewhere, response);
                            }
                            return null;
                        },
                        answering);
    }

    private static void passBack(Context ctx, Served.Elsewhere elsewhere, HttpResponse<byte[]> response) {
        if (response.statusCode() == ErrorBody.UNAVAILABLE) {
            elsewhere.forget().run();
            ErrorBody.retryLater(ctx);
        }
        response.headers().firstValue(ErrorBody.HEADER).ifPresent(code -> ErrorBody.code(ctx, code));
        ctx.header("Vary", "Accept");
        ctx.status(response.statusCode())
                .contentType(response.headers().firstValue("Content-Type").orElse("application/json"))
                .result(response.body());
    }
}
