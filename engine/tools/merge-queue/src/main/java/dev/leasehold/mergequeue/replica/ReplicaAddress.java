package dev.leasehold.mergequeue.replica;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Under which address other replicas reach one: a scheme, a host and a port, and nothing else. */
public final class ReplicaAddress {

    /** What an address must be, for people. */
    public static final String RULE = "http://HOST:PORT or https://HOST:PORT, without a path";

    private ReplicaAddress() {}

    /**
     * Reads one.
     *
     * @param text as given
     * @return the address, without a slash at its end; empty if the text breaks the rule
     */
    public static Optional<URI> parse(String text) {
        URI uri;
        try {
            uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
        boolean scheme = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        boolean bare = uri.getRawPath() != null
                && uri.getRawPath().isEmpty()
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null
                && uri.getRawUserInfo() == null;
        boolean port = uri.getPort() == -1 || uri.getPort() >= 1 && uri.getPort() <= 65_535;
        return scheme && uri.getHost() != null && bare && port ? Optional.of(uri) : Optional.empty();
    }
}
