package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.config.Configuration.Credentials;
import dev.leasehold.mergequeue.config.Role;
import dev.leasehold.mergequeue.queue.Requester;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides from the head of a request whether it is let in, before anything of its body is read. */
final class Admission {

    static final String LIVE = "/health/live";
    static final String READY = "/health/ready";

    private static final String REQUESTER = "requester";
    private static final Pattern PORT = Pattern.compile(":\\d*$");
    private static final Pattern ADDRESS = Pattern.compile("\\[[0-9a-f:.]+]|\\d{1,3}(?:\\.\\d{1,3}){3}");
    private static final String JSON = "application/json";

    private final boolean open;
    private final BasicAuthentication authentication;
    private final Set<String> hosts;

    Admission(List<Credentials> credentials, Set<String> hosts) {
        this.open = credentials.isEmpty();
        this.authentication = new BasicAuthentication(credentials);
        this.hosts = Set.copyOf(hosts);
    }

    void admit(Context ctx) {
        if (isHealth(ctx.path())) {
            return;
        }
        if (open && !isKnownHost(ctx.header("Host"))) {
            throw ApiException.unknownHost(String.valueOf(ctx.header("Host")));
        }
        ctx.attribute(REQUESTER, requesterOf(ctx));
        if (isOfForeignSite(ctx)) {
            throw ApiException.foreignSite();
        }
        // Of the header as it is: the server would also look up the charset that a client may have made up.
        String found = ctx.header("Content-Type");
        if (ctx.req().getMethod().equals("POST") && !isJson(found)) {
            throw ApiException.notJsonType(found == null ? "missing" : "'" + found + "'");
        }
    }

    /** Exactly these two: a provider may be called nearly anything. */
    static boolean isHealth(String path) {
        return path.equals(LIVE) || path.equals(READY);
    }

    /**
     * Without credentials, a page of another site could give its own name the address of this service, and then read what it likes: to the
     * browser it is one site. Addresses are names of no site.
     */
    private boolean isKnownHost(@Nullable String header) {
        if (header == null) {
            return true; // no browser leaves it out
        }
        String host = PORT.matcher(header.toLowerCase(Locale.ROOT)).replaceFirst("");
        return ADDRESS.matcher(host).matches() || host.equals("localhost") || hosts.contains(host);
    }

    /** In whose name a request that was let in is made. */
    static Requester requester(Context ctx) {
        return Objects.requireNonNull(ctx.attribute(REQUESTER));
    }

    private Requester requesterOf(Context ctx) {
        if (open) {
            return Requester.ANY;
        }
        Credentials shown =
                authentication.credentials(ctx.header("Authorization")).orElseThrow(ApiException::unauthorized);
        Role needed = needed(ctx.req().getMethod());
        if (!shown.role().covers(needed)) {
            throw ApiException.forbidden(shown.role().text(), needed.text());
        }
        return new Requester(shown.username(), shown.role().covers(Role.OPERATOR));
    }

    private static Role needed(String method) {
        return switch (method) {
            case "GET" -> Role.READ;
            case "DELETE" -> Role.OPERATOR;
            default -> Role.RUN;
        };
    }

    private static boolean isJson(@Nullable String contentType) {
        return contentType != null
                && contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON);
    }

    /**
     * Browsers add a user's credentials to what a page of any site sends. They say which site it was; other clients say nothing. A link
     * from elsewhere to a page of this service is followed.
     */
    private static boolean isOfForeignSite(Context ctx) {
        String site = ctx.header("Sec-Fetch-Site");
        boolean followsLink = ctx.req().getMethod().equals("GET") && "navigate".equals(ctx.header("Sec-Fetch-Mode"));
        boolean foreign = site != null && !site.equals("same-origin") && !site.equals("none");
        return foreign && !followsLink || isForeign(ctx.header("Origin"), ctx.header("Host"));
    }

    private static boolean isForeign(@Nullable String origin, @Nullable String host) {
        if (origin == null) {
            return false;
        }
        Optional<String> authority = authority(origin);
        return host == null || authority.isEmpty() || !authority.get().equals(host.toLowerCase(Locale.ROOT));
    }

    /** The host and the port of {@code https://host:port}; empty for {@code null}, which pages without an origin send. */
    private static Optional<String> authority(String origin) {
        int end = origin.indexOf("://");
        return end < 0
                ? Optional.empty()
                : Optional.of(origin.substring(end + 3).toLowerCase(Locale.ROOT));
    }
}
