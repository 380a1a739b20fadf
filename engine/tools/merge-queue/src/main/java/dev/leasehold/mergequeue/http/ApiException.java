package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.queue.QueueAnswer;
import dev.leasehold.mergequeue.queue.Rule;

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
                401,
                "unauthorized",
                "credentials are missing or wrong",
                "All but /health/live and /health/ready needs basic authentication.");
    }

    static ApiException forbidden(String role, String needed) {
        return new ApiException(
                403,
                "forbidden",
                "these credentials have the role " + role + ", and " + needed + " is needed",
                "POST needs the role run, DELETE the role operator.");
    }

    static ApiException unknownHost(String host) {
        return new ApiException(
                421,
                "unknown-host",
                "this service is not called '" + host + "'",
                "Without credentials it answers under addresses, localhost, its --address, and the hosts of its configuration.");
    }

    static ApiException foreignSite() {
        return new ApiException(
                403,
                "foreign-site",
                "a page of another site asked for this",
                "Requests of browsers must come from a page of this service.");
    }

    static ApiException notJsonType(String found) {
        return new ApiException(
                415,
                "content-type",
                "the content type is " + found,
                "A body must have Content-Type: application/json.");
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

    static ApiException refused(QueueAnswer.Refused refused) {
        Rule rule = refused.rule();
        return new ApiException(rule == Rule.NOT_YOURS ? 403 : 409, rule.code(), refused.message(), rule.sentence());
    }

    static ApiException refused(String code, String message, String rule) {
        return new ApiException(409, code, message, rule);
    }

    static ApiException bodyTooLarge(int bytesMax) {
        return new ApiException(
                413, "body-too-large", "the body is too large", "A body has at most " + bytesMax + " bytes.");
    }

    static ApiException slowBody(long seconds) {
        return new ApiException(
                408, "slow-body", "the body did not come in time", "A body must have come within " + seconds + " s.");
    }

    static ApiException bodyCutOff() {
        return new ApiException(400, "cut-off", "the body was cut off", "A body must come as announced.");
    }

    static ApiException notJson(String message) {
        return new ApiException(422, "not-json", message, "The body must be one JSON object in UTF-8.");
    }

    static ApiException noOwner(String message) {
        return new ApiException(
                503, "no-owner", message, "Only the replica that holds the provider's lease answers; ask again.");
    }

    static ApiException unavailable(String message) {
        return new ApiException(
                503, "unavailable", message, "Queues are read from the database; ask again when it answers.");
    }

    static ApiException providerLimit(String message) {
        return new ApiException(
                503,
                "provider-limit",
                message,
                "A replica serves so many providers at a time, and forgets those that are idle.");
    }

    static ApiException damaged(String message, String remedy) {
        return new ApiException(503, "damaged", message, remedy);
    }

    static ApiException broken(String message) {
        return new ApiException(500, "broken", message, "This should not happen; the log says more.");
    }

    /** Whether the same request may get another answer later. */
    boolean mayHelpToRepeat() {
        return status == 503 && !code.equals("damaged")
                || status == 429
                || status == 408
                || code.equals(Rule.REQUEST_LIMIT.code());
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
