/**
 * What an engine measures of itself. No decision depends on it, and no meter can fail an operation.
 *
 * <p>Only {@link dev.leasehold.engine.internal.metrics.MicrometerMetrics} and its gauges know Micrometer, which is
 * optional: no other type names one of its types, not even in a signature. All durations are counted on the engine's own
 * clock, never on that of a registry.
 */
@NullMarked
package dev.leasehold.engine.internal.metrics;

import org.jspecify.annotations.NullMarked;
