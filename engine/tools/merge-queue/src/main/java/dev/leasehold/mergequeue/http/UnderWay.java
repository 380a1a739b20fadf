package dev.leasehold.mergequeue.http;

import io.javalin.http.Context;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Request;

/** The requests that are to be answered before the replica ends: not those whose bodies have not come. Safe for use by many threads. */
final class UnderWay {

    private static final String ATTRIBUTE = UnderWay.class.getName();

    private final AtomicInteger count = new AtomicInteger();

    /** Counts a request until it is answered. */
    void count(Request request) {
        One one = new One();
        request.setAttribute(ATTRIBUTE, one);
        Request.addCompletionListener(request, failure -> one.end());
    }

    /** The body of the request is awaited. */
    static void pause(Context ctx) {
        of(ctx).set(false);
    }

    /** The body of the request has come. */
    static void resume(Context ctx) {
        of(ctx).set(true);
    }

    private static One of(Context ctx) {
        return (One) Objects.requireNonNull(ctx.req().getAttribute(ATTRIBUTE));
    }

    boolean isEmpty() {
        return count.get() == 0;
    }

    private final class One {

        private boolean counted;
        private boolean over;

        One() {
            set(true);
        }

        synchronized void set(boolean nowCounted) {
            if (counted != nowCounted && !over) {
                counted = nowCounted;
                count.addAndGet(nowCounted ? 1 : -1);
            }
        }

        synchronized void end() {
            set(false);
            over = true;
        }
    }
}
