package dev.leasehold.mergequeue.http;

import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;

/** Why not, as the body of a response. */
final class ErrorBody {

    /** The code of a refusal, for the replica that passed the request on. */
    static final String HEADER = "Leasehold-Error";

    /** Where the code of a refusal is found by what counts them. */
    private static final String CODE = "error";

    static final int UNAVAILABLE = 503;

    private static final int TIMED_OUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int UNAUTHORIZED = 401;
    static final String RETRY_AFTER_SECONDS = "1";

    private ErrorBody() {}

    static void write(Context ctx, ApiException why) {
        write(ctx, why, Map.of());
    }

    /** With further fields. */
    static void write(Context ctx, ApiException why, Map<String, Object> more) {
        Map<String, Object> body = new LinkedHashMap<>();
        refused(ctx, why);
        body.put("error", why.code());
        body.put("message", why.getMessage());
        body.put("rule", why.rule());
        if (why.status() == TIMED_OUT || why.status() == TOO_LARGE) {
            ctx.header("Connection", "close"); // the rest of the body may still come
        }
        if (why.status() == UNAUTHORIZED) {
            ctx.header("WWW-Authenticate", "Basic realm=\"merge queue\", charset=\"UTF-8\"");
        }
        body.put("repeat", why.mayHelpToRepeat() ? "yes" : "no");
        body.putAll(more);
        PlainText.orJson(ctx, body);
    }

    /** All of a refusal but its body. */
    static void refused(Context ctx, ApiException why) {
        code(ctx, why.code());
        ctx.status(why.status());
        if (why.status() == UNAVAILABLE) {
            retryLater(ctx);
        }
    }

    static void code(Context ctx, String code) {
        ctx.attribute(CODE, code);
        ctx.header(HEADER, code);
    }

    static String codeOf(Context ctx) {
        String code = ctx.attribute(CODE);
        return code == null ? "none" : code;
    }

    static void retryLater(Context ctx) {
        ctx.header("Retry-After", RETRY_AFTER_SECONDS);
    }
}
