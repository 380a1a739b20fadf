package dev.leasehold.mergequeue.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** What the server itself refuses, such as a head that is no HTTP, is answered in the documented form, and without a page. */
final class ServerErrors extends ErrorHandler {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int UNKNOWN_ENCODING = 501;
    private static final int UNKNOWN_VERSION = 505;

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        int status = response.getStatus();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", isOfService(status) ? "broken" : "bad-request");
        body.put("message", "the request was refused by the server with status " + status);
        body.put("rule", "A request must be HTTP/1.1, with a head of at most 8 kB and a path that is one.");
        body.put("repeat", "no");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.write(true, ByteBuffer.wrap(JSON.writeValueAsBytes(body)), callback);
        return true;
    }

    /** Two of the codes of servers say what a caller does wrong. */
    private static boolean isOfService(int status) {
        return status >= 500 && status != UNKNOWN_ENCODING && status != UNKNOWN_VERSION;
    }
}
