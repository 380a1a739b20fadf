package dev.leasehold.mergequeue.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is sent when it is whole. What writes it never waits for the caller, so a caller that does not read its answers occupies
 * memory, of which {@link Connections} bounds the sum, and no thread. It is its own callback: it is whole when that succeeds.
 */
final class BufferedAnswer extends Response.Wrapper implements Callback {

    private final Callback sent;
    private final Connections connections;
    private ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    BufferedAnswer(Request request, Response response, Callback sent, Connections connections) {
        super(request, response);
        this.sent = sent;
        this.connections = connections;
    }

    @Override
    public void write(boolean last, @Nullable ByteBuffer content, Callback written) {
        if (content != null) {
            byte[] piece = new byte[content.remaining()];
            content.get(piece);
            bytes.writeBytes(piece);
        }
        written.succeeded();
    }

    @Override
    public void reset() {
        bytes.reset();
        super.reset();
    }

    @Override
    public void succeeded() {
        ByteBuffer whole = ByteBuffer.wrap(bytes.toByteArray());
        // This is there until the caller has taken the answer, which is kept once.
        bytes = new ByteArrayOutputStream(0);
        connections.answers(getRequest(), whole.remaining());
        getWrapped().write(true, whole, sent);
    }

    @Override
    public void failed(Throwable failure) {
        sent.failed(failure);
    }
}
