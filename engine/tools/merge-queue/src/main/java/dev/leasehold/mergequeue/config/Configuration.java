package dev.leasehold.mergequeue.config;

import dev.leasehold.mergequeue.queue.QueueSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration file says.
 *
 * @param credentials of which callers must show one; empty if none are asked for
 * @param hosts by which names callers may call the service, besides its address; asked for without credentials alone
 * @param limits on what callers may send
 * @param providers in the order of the file
 * @param github where their repositories are, for the links of the page
 * @param operator where the page of the operator's tool is, for links to the leases; null for none
 */
public record Configuration(
        List<Credentials> credentials,
        Set<String> hosts,
        Limits limits,
        List<ConfiguredProvider> providers,
        String github,
        @Nullable String operator) {

    /** Where repositories are if the file says nothing. */
    public static final String GITHUB = "https://github.com";

    /**
     * With the usual GitHub.
     *
     * @param credentials of which callers must show one
     * @param hosts by which names callers may call the service
     * @param limits on what callers may send
     * @param providers in the order of the file
     */
    public Configuration(
            List<Credentials> credentials, Set<String> hosts, Limits limits, List<ConfiguredProvider> providers) {
        this(credentials, hosts, limits, providers, GITHUB, null);
    }

    /**
     * Finds the settings of a provider.
     *
     * @param owner of the repository
     * @param repo its name
     * @param baseRef the branch
     * @return those of the first entry of the file that fits
     */
    public Optional<QueueSettings> settings(String owner, String repo, String baseRef) {
        return provider(owner, repo, baseRef).map(ConfiguredProvider::settings);
    }

    /**
     * Finds the entry of a provider.
     *
     * @param owner of the repository
     * @param repo its name
     * @param baseRef the branch
     * @return the first entry of the file that fits
     */
    public Optional<ConfiguredProvider> provider(String owner, String repo, String baseRef) {
        return providers.stream()
                .filter(provider -> provider.fits(owner, repo, baseRef))
                .findFirst();
    }

    /**
     * For basic authentication.
     *
     * @param username not empty
     * @param password not empty
     * @param role what they may do
     */
    public record Credentials(String username, String password, Role role) {

        @Override
        public String toString() {
            return "Credentials[username=" + username + ", role=" + role.text() + "]";
        }
    }

    /**
     * What callers may send.
     *
     * @param bodyBytesMax of a request
     * @param requestsMax that wait or hold at a time, of each provider
     * @param providersMax that a replica knows at a time
     */
    public record Limits(int bodyBytesMax, int requestsMax, int providersMax) {}
}
