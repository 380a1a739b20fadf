package dev.leasehold.mergequeue.http;

import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;

/** Why not, as the body of a response. */
final class ErrorBody {

    static final int UNAVAILABLE = 503;

    private static final int UNAUTHORIZED = 401;
    private static final String RETRY_AFTER_SECONDS = "1";

    private ErrorBody() {}

    static void write(Context ctx, ApiException why) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", why.code());
        body.put("message", why.getMessage());
        body.put("rule", why.rule());
        if (why.status() == UNAVAILABLE) {
            retryLater(ctx);
        }
        if (why.status() == UNAUTHORIZED) {
            ctx.header("WWW-Authenticate", "Basic realm=\"merge queue\", charset=\"UTF-8\"");
        }
        body.put("repeat", why.mayHelpToRepeat() ? "yes" : "no");
        PlainText.orJson(ctx.status(why.status()), body);
    }

    static void retryLater(Context ctx) {
        ctx.header("Retry-After", RETRY_AFTER_SECONDS);
    }
}
