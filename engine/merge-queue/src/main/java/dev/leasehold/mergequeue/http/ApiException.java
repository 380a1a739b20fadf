package dev.leasehold.mergequeue.http;

/** An answer that is not 200, with a body that says why, and by which rule. */
final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String rule;

    private ApiException(int status, String code, String message, String rule) {
        super(message);
        this.status = status;
        this.code = code;
        this.rule = rule;
    }

    static ApiException validation(String field, String rule) {
        return new ApiException(
                400, "validation", field + " is refused: it must be " + rule, field + ": " + rule + ".");
    }

    static ApiException invalidPath(String message) {
        return new ApiException(400, "validation", message, "A provider is /{owner}/{repo}/{baseRef}.");
    }

    static ApiException unauthorized() {
        return new ApiException(
                401, "unauthorized", "credentials are missing or wrong", "All but /health needs basic authentication.");
    }

    static ApiException unknownPath(String method, String path) {
        return new ApiException(
                404, "unknown-path", "there is no " + method + " " + path, "The routes are in /openapi.json.");
    }

    static ApiException wrongMethod(String method, String path) {
        return new ApiException(
                405, "wrong-method", method + " is not for " + path, "The routes are in /openapi.json.");
    }

    static ApiException unknownProvider(String provider) {
        return new ApiException(
                404,
                "unknown-provider",
                "provider '" + provider + "' is not configured",
                "Only providers of the configuration are served.");
    }

    static ApiException refused(String code, String message, String rule) {
        return new ApiException(409, code, message, rule);
    }

    static ApiException bodyTooLarge(int bytesMax) {
        return new ApiException(
                413, "body-too-large", "the body is too large", "A body has at most " + bytesMax + " bytes.");
    }

    static ApiException notJson(String message) {
        return new ApiException(422, "not-json", message, "The body must be one JSON object in UTF-8.");
    }

    static ApiException noOwner(String message) {
        return new ApiException(
                503, "no-owner", message, "Only the replica that holds the provider's lease answers; ask again.");
    }

    static ApiException broken(String message) {
        return new ApiException(500, "broken", message, "This should not happen; the log says more.");
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    String rule() {
        return rule;
    }

    /** Made for each refused request, and never looked at. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
