package dev.leasehold.operator.serve;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which requests come from this page, and not from another one in the same browser.
 *
 * <p>A foreign page can make a browser send requests here, but it cannot read what comes back. So it does not know the token that stands in
 * every form; and the browser says truly where a request comes from. The name of the host is checked for all requests: a foreign page can
 * have its own name point to this machine, and would be able to read then. An address is the name of no foreign page; and a port says
 * nothing of the page, while behind a tunnel it is any.
 */
final class Guard {

    private static final int TOKEN_BYTES = 32;
    private static final Pattern PORT = Pattern.compile(":\\d*$");
    private static final Pattern ADDRESS = Pattern.compile("\\[[0-9a-f:.]+]|\\d{1,3}(?:\\.\\d{1,3}){3}");

    private final Set<String> hosts;
    private final String token;

    /**
     * With a fresh token.
     *
     * @param hosts names under which the page may be asked for, besides addresses; with a port or without
     */
    Guard(Set<String> hosts) {
        this.hosts = hosts.stream().map(Guard::withoutPort).collect(Collectors.toUnmodifiableSet());
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        this.token = HexFormat.of().formatHex(bytes);
    }

    String token() {
        return token;
    }

    boolean isForUs(Headers headers) {
        String host = headers.getFirst("Host");
        return host != null && (ADDRESS.matcher(withoutPort(host)).matches() || hosts.contains(withoutPort(host)));
    }

    private static String withoutPort(String host) {
        return PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst("");
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
