/**
 * What an engine measures of itself, and how it reports its health. No decision depends on either, and no meter can fail an
 * operation.
 *
 * <p>Only {@link dev.leasehold.engine.internal.metrics.MicrometerMetrics} and its gauges know Micrometer, which is
 * optional: no other type names one of its types, not even in a signature. All durations are counted on the engine's own
 * clock, never on that of a registry. The health needs no meters.
 */
@NullMarked
package dev.leasehold.engine.internal.metrics;

import org.jspecify.annotations.NullMarked;
