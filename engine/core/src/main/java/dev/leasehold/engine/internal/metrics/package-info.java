/**
 * What an engine measures of itself, and how it reports its health. No decision about a lease depends on either, and no meter can fail
 * an operation. A partition asks {@link dev.leasehold.engine.internal.metrics.StoreHealth} whether a command is unanswered: then its thread takes no
 * task of the event loop, and a heartbeat that is not sent counts as failed.
 *
 * <p>Only {@link dev.leasehold.engine.internal.metrics.MicrometerMetrics} and its gauges know Micrometer, which is
 * optional: no other type names one of its types, not even in a signature. All durations are counted on the engine's own
 * clock, never on that of a registry. The health needs no meters.
 */
@NullMarked
package dev.leasehold.engine.internal.metrics;

import org.jspecify.annotations.NullMarked;
