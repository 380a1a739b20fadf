package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.queue.QueueAnswer;
import dev.leasehold.mergequeue.queue.QueueEvent;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.Requester;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.replica.Replica.Served;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests that change a queue: each goes to the replica that serves the provider. */
final class QueueRequests {

    private static final Logger LOG = LoggerFactory.getLogger(QueueRequests.class);

    private final Configuration configuration;
    private final Replica replica;
    private final Forwarder forwarder;

    QueueRequests(Configuration configuration, Replica replica) {
        this.configuration = configuration;
        this.replica = replica;
        this.forwarder = new Forwarder(replica.address());
    }

    void acquire(Context ctx, Spelling spelling) throws IOException, InterruptedException {
        post(ctx, spelling, RequestBody::acquire);
    }

    void release(Context ctx) throws IOException, InterruptedException {
        post(ctx, Spelling.USUAL, RequestBody::release);
    }

    void withdraw(Context ctx) throws IOException, InterruptedException {
        post(ctx, Spelling.USUAL, RequestBody::withdraw);
    }

    private void post(Context ctx, Spelling spelling, BiFunction<RequestBody, Requester, QueueEvent> event)
            throws IOException, InterruptedException {
        ProviderKey key = key(ctx);
        QueueSettings settings = settings(key);
        byte[] body = body(ctx);
        QueueEvent asked = event.apply(RequestBody.parse(body), Admission.requester(ctx));
        dispatch(ctx, new Request(key, settings, body, asked, spelling));
    }

    void clear(Context ctx) throws InterruptedException {
        ProviderKey key = key(ctx);
        dispatch(ctx, new Request(key, settings(key), new byte[0], new QueueEvent.Clear(), Spelling.USUAL));
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

    private byte[] body(Context ctx) throws IOException {
        int bytesMax = configuration.limits().bodyBytesMax();
        byte[] body = ctx.req().getInputStream().readNBytes(bytesMax + 1);
        if (body.length > bytesMax) {
            throw ApiException.bodyTooLarge(bytesMax);
        }
        return body;
    }

    private void dispatch(Context ctx, Request request) throws InterruptedException {
        Served served = replica.serve(request.key(), request.settings());
        if (served instanceof Served.Here here) {
            ctx.future(() -> here.queue()
                    .submit(request.event())
                    .handle((answer, failure) -> {
                        answer(ctx, request, answer, failure);
                        return null;
                    })
                    .toCompletableFuture());
        } else if (Forwarder.wasForwarded(ctx)) {
            throw ApiException.noOwner(
                    "this replica does not serve provider '" + request.key().id() + "'");
        } else {
            forward(ctx, (Served.Elsewhere) served, request);
        }
    }

    private static void answer(
            Context ctx, Request request, @Nullable QueueAnswer answer, @Nullable Throwable failure) {
        if (answer == null) {
            ErrorBody.write(ctx, ApiException.noOwner(String.valueOf(failure == null ? null : failure.getMessage())));
            return;
        }
        try {
            PlainText.orJson(ctx, AnswerBody.of(request.key().id(), answer, request.spelling()));
        } catch (ApiException e) {
            ErrorBody.write(ctx, e);
        }
    }

    private void forward(Context ctx, Served.Elsewhere elsewhere, Request request) {
        ctx.future(() -> {
            CompletableFuture<HttpResponse<byte[]>> sent = forwarder.forward(elsewhere.address(), ctx, request.body());
            return sent.handle((response, failure) -> {
                if (response == null) {
                    LOG.debug("Provider '{}': {} does not answer", request.key().id(), elsewhere.address(), failure);
                    elsewhere.forget().run();
                    ErrorBody.write(
                            ctx,
                            ApiException.noOwner("the replica that serves provider '"
                                    + request.key().id() + "' does not answer"));
                } else {
                    passBack(ctx, elsewhere, response);
                }
                return null;
            });
        });
    }

    private static void passBack(Context ctx, Served.Elsewhere elsewhere, HttpResponse<byte[]> response) {
        if (response.statusCode() == ErrorBody.UNAVAILABLE) {
            elsewhere.forget().run();
            ErrorBody.retryLater(ctx);
        }
        ctx.status(response.statusCode())
                .contentType(response.headers().firstValue("Content-Type").orElse("application/json"))
                .result(response.body());
    }
}
