package dev.leasehold.mergequeue.config;

import dev.leasehold.mergequeue.queue.QueueSettings;
import java.util.List;
import java.util.Optional;

/**
 * What a configuration file says.
 *
 * @param credentials that callers must show; empty for none
 * @param limits on what callers may send
 * @param providers in the order of the file
 */
public record Configuration(Optional<Credentials> credentials, Limits limits, List<ConfiguredProvider> providers) {

    /**
     * Finds the settings of a provider.
     *
     * @param owner of the repository
     * @param repo its name
     * @param baseRef the branch
     * @return those of the first entry of the file that fits
     */
    public Optional<QueueSettings> settings(String owner, String repo, String baseRef) {
        return providers.stream()
                .filter(provider -> provider.fits(owner, repo, baseRef))
                .map(ConfiguredProvider::settings)
                .findFirst();
    }

    /**
     * For basic authentication.
     *
     * @param username not empty
     * @param password not empty
     */
    public record Credentials(String username, String password) {

        @Override
        public String toString() {
            return "Credentials[username=" + username + "]";
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
