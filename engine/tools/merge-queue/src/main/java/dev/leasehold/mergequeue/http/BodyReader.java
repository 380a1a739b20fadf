package dev.leasehold.mergequeue.http;

import io.javalin.http.Context;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Reads a body as its bytes come, without a thread that waits for them. */
final class BodyReader implements ReadListener {

    private static final long LIMIT_SECONDS = 10;
    private static final int CHUNK = 4_096;

    private final ServletInputStream input;
    private final int bytesMax;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();

    private BodyReader(ServletInputStream input, int bytesMax) {
        this.input = input;
        this.bytesMax = bytesMax;
    }

    /**
     * Reads it. The request must be asynchronous already.
     *
     * @return completes with the body, or with an {@link ApiException} if it is too large, too slow or cut off
     */
    static CompletableFuture<byte[]> read(Context ctx, int bytesMax) {
        if (ctx.req().getContentLengthLong() > bytesMax) {
            return CompletableFuture.failedFuture(ApiException.bodyTooLarge(bytesMax));
        }
        try {
            BodyReader reader = new BodyReader(ctx.req().getInputStream(), bytesMax);
            reader.input.setReadListener(reader);
            return reader.body.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).exceptionally(failure -> {
                throw failure instanceof ApiException refusal ? refusal : ApiException.slowBody(LIMIT_SECONDS);
            });
        } catch (IOException e) {
            return CompletableFuture.failedFuture(ApiException.bodyCutOff());
        }
    }

    @Override
    public void onDataAvailable() throws IOException {
        byte[] chunk = new byte[CHUNK];
        while (!body.isDone() && input.isReady()) {
            int read = input.read(chunk);
            if (read < 0) {
                return;
            }
            bytes.write(chunk, 0, read);
            if (bytes.size() > bytesMax) {
                body.completeExceptionally(ApiException.bodyTooLarge(bytesMax));
            }
        }
    }

    @Override
    public void onAllDataRead() {
        body.complete(bytes.toByteArray());
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(ApiException.bodyCutOff());
    }
}
