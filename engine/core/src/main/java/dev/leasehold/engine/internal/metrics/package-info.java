/**
 * What an engine measures of itself, and how it says that it is. Nothing is ever decided from either, and no meter can fail
 * an operation.
 *
 * <p>The engine reports plain values to {@link dev.leasehold.engine.internal.metrics.EngineMetrics}. Only {@link
 * dev.leasehold.engine.internal.metrics.MicrometerMetrics} and what stands behind it know Micrometer, which need not be there: none
 * of the other types names one of its types, not even in a signature. All times are differences of the engine's own
 * clock; the clock of a registry takes no part.
 *
 * <p>{@link dev.leasehold.engine.internal.metrics.HealthReport} tells how the engine is from what {@link
 * dev.leasehold.engine.internal.metrics.HealthTrackingStore} has noted of its last dealing with the database. It needs no meters.
 */
@NullMarked
package dev.leasehold.engine.internal.metrics;

import org.jspecify.annotations.NullMarked;
