package dev.leasehold.mergequeue.config;

import dev.leasehold.mergequeue.queue.QueueSettings;

/**
 * One entry of the list of providers.
 *
 * @param owner of the repository
 * @param repo its name
 * @param baseRef a branch, or a pattern of branches
 * @param settings of each provider that fits
 */
public record ConfiguredProvider(String owner, String repo, BranchPattern baseRef, QueueSettings settings) {

    /** {@return the three parts as in the file, with slashes between} */
    public String id() {
        return owner + "/" + repo + "/" + baseRef.text();
    }

    boolean covers(ConfiguredProvider other) {
        return owner.equals(other.owner) && repo.equals(other.repo) && baseRef.covers(other.baseRef);
    }

    boolean fits(String otherOwner, String otherRepo, String branch) {
        return owner.equals(otherOwner) && repo.equals(otherRepo) && baseRef.fits(branch);
    }
}
