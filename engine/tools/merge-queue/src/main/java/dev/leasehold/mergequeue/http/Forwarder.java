package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.replica.ProviderKey;
import io.javalin.http.Context;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Passes a request on to the replica that serves its provider. A request is passed on once: the header says that it was. */
final class Forwarder {

    static final String HEADER = "Leasehold-Forwarded-By";

    private static final List<String> PASSED_ON = List.of("Authorization", "Accept", "Content-Type");
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);
    /** Longer than the other replica takes to find out that it cannot answer. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(7);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_LIMIT)
            .build();
    private final URI ownAddress;

    Forwarder(URI ownAddress) {
        this.ownAddress = ownAddress;
    }

    static boolean wasForwarded(Context ctx) {
        return ctx.header(HEADER) != null;
    }

    CompletableFuture<HttpResponse<byte[]>> forward(URI owner, Context ctx, ProviderKey key, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(owner + key.path() + order(ctx)))
                .timeout(ANSWER_LIMIT)
                .header(HEADER, ownAddress.toString())
                .method(ctx.req().getMethod(), BodyPublishers.ofByteArray(body));
        for (String name : PASSED_ON) {
            String value = ctx.header(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        return client.sendAsync(request.build(), BodyHandlers.ofByteArray());
    }

    /** The last part of the route, which says what is to be done with the provider; nothing if the method says it. */
    private static String order(Context ctx) {
        String route = Objects.requireNonNull(ctx.endpoints().lastHttpEndpoint()).path;
        return route.substring(HttpService.PROVIDER_PATH.length());
    }
}
