package dev.leasehold.mergequeue.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The providers as they were last seen.
 *
 * @param providers in the order in which they are shown
 * @param age_seconds since they were read; 0 for just now
 * @param trouble why they could not be read just now; null if they could
 */
public record ProvidersView(
        List<ProviderView> providers,
        long age_seconds,
        @Nullable String trouble) {}
