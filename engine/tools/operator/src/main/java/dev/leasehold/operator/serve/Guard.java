package dev.leasehold.operator.serve;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which requests come from this page, and not from another one in the same browser.
 *
 * <p>A foreign page can make a browser send requests here, but it cannot read what comes back. So it does not know the token that stands in
 * every form; and the browser says truly where a request comes from. The name of the host is checked for all requests: a foreign page can
 * have its own name point to this machine, and would be able to read then.
 */
final class Guard {

    private static final int TOKEN_BYTES = 32;

    private final Set<String> hosts;
    private final String token;

    /**
     * With a fresh token.
     *
     * @param hosts under which the page may be asked for, in lower case and with the port
     */
    Guard(Set<String> hosts) {
        this.hosts = hosts;
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        this.token = HexFormat.of().formatHex(bytes);
    }

    String token() {
        return token;
    }

    boolean isForUs(Headers headers) {
        String host = headers.getFirst("Host");
        return host != null && hosts.contains(host.toLowerCase(Locale.ROOT));
    }

    /** Whether an order comes from a form of this page. */
    boolean isFromUs(Headers headers, Map<String, String> form) {
        String origin = headers.getFirst("Origin");
        return isForUs(headers)
                && origin != null
                && origin.equals("http://" + headers.getFirst("Host"))
                && isToken(form.get("token"));
    }

    private boolean isToken(@Nullable String given) {
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
