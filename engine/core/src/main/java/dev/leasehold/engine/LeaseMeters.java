package dev.leasehold.engine;

import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.MicrometerMetrics;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Where an engine keeps its meters: in a Micrometer registry. This is the one type here that needs Micrometer on the
 * class path. Immutable; one value may serve any number of engines.
 *
 * <p>Every meter has the tag {@code lease.namespace}, not {@code namespace}, which in Kubernetes is a label of Prometheus.
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><th>name</th><th>type, unit</th><th>further tags</th><th>what it says</th></tr>
 * <tr><td>{@code leasehold.operations}</td><td>timer</td>
 *   <td>{@code operation}: acquire, claim, take-over, extend, update-payload, release, expire, remove, force-expire, pin, unpin;
 *   {@code outcome}: granted, refused, contention, unavailable, unknown, interrupted, failed;
 *   {@code status}, of the lease when the operation was last decided: free, expired, active, corrupt, unknown;
 *   {@code lease} if asked for</td>
 *   <td>operations, and how long their callers waited</td></tr>
 * <tr><td>{@code leasehold.transactions}</td><td>counter</td>
 *   <td>{@code verdict}: applied, missed, conflict, lease-conflict, unavailable, withheld, failed, unknown</td>
 *   <td>transactions tried</td></tr>
 * <tr><td>{@code leasehold.group.size}</td><td>summary</td><td></td>
 *   <td>how many operations shared a transaction</td></tr>
 * <tr><td>{@code leasehold.clock.hold}</td><td>timer</td><td></td>
 *   <td>from sending the update of a transaction whose guards held until its commit or abort was answered: the longest
 *   time for which others may have been kept out</td></tr>
 * <tr><td>{@code leasehold.commit}</td><td>timer</td><td></td>
 *   <td>from sending a commit until it was answered or abandoned, repeated ones too</td></tr>
 * <tr><td>{@code leasehold.unknown.resolved}</td><td>counter</td>
 *   <td>{@code resolution}: landed, not-landed, lost</td>
 *   <td>how transactions, and single writes of leases, of unknown outcome were found to have ended</td></tr>
 * <tr><td>{@code leasehold.clock.blocked}</td><td>counter</td><td></td>
 *   <td>attempts to free a clock document that was found blocked, without progress for a second: one after each write of it that waited
 *   in vain</td></tr>
 * <tr><td>{@code leasehold.stuck.transactions}</td><td>counter</td><td></td>
 *   <td>stuck transactions of engines that this one had the server end</td></tr>
 * <tr><td>{@code leasehold.read.window}</td><td>timer</td><td></td>
 *   <td>how long the reads took from which waits for an expiry are counted</td></tr>
 * <tr><td>{@code leasehold.lease.writes}</td><td>timer</td>
 *   <td>{@code verdict}, as of {@code leasehold.transactions}, of all leases of a command together</td>
 *   <td>commands that wrote leases without a transaction, and how long they took</td></tr>
 * <tr><td>{@code leasehold.heartbeats}</td><td>counter</td>
 *   <td>{@code outcome}: acknowledged, failed</td>
 *   <td>heartbeats of the engine's session; an engine that writes enough otherwise sends none</td></tr>
 * <tr><td>{@code leasehold.losses}</td><td>counter</td>
 *   <td>{@code reason}: expired, held-too-long, taken-over, evicted, lease-document-lost, clock-document-lost, not-renewed, clock-anomaly,
 *       closed, engine-failed</td>
 *   <td>tenures that ended without their holder's doing, as {@link LeaseLoss} says</td></tr>
 * <tr><td>{@code leasehold.handovers}</td><td>counter</td>
 *   <td>{@code kind}: granted, by a release of this engine; vacant, released here although an acquisition of this engine waits; heard, granted to a ticket of
 *       this engine; passed-on, granted to a ticket with which no acquisition waits any more</td>
 *   <td>what became of leases that were waited for</td></tr>
 * <tr><td>{@code leasehold.handover}</td><td>timer</td><td></td>
 *   <td>from the begin of a release until it is acknowledged, if it has begun the next tenure</td></tr>
 * <tr><td>{@code leasehold.queue.length}</td><td>summary</td><td></td>
 *   <td>tickets of a lease, at each read of its queue</td></tr>
 * <tr><td>{@code leasehold.tickets}</td><td>gauge</td><td></td>
 *   <td>tickets of this engine that are open, or may still be granted</td></tr>
 * <tr><td>{@code leasehold.held.leases}</td><td>gauge</td><td></td>
 *   <td>tenures that handles of this engine hold</td></tr>
 * <tr><td>{@code leasehold.waiters}</td><td>gauge</td><td></td>
 *   <td>acquisitions that are not answered yet</td></tr>
 * <tr><td>{@code leasehold.skew}</td><td>gauge, seconds</td><td>{@code writer}</td>
 *   <td>how far this engine's clock is at most ahead of that writer's: the least that was seen</td></tr>
 * <tr><td>{@code leasehold.live.writers}</td><td>gauge</td><td></td>
 *   <td>writers in the clock document that were not closed; those that died count until they are evicted, or housekeeping removes them</td></tr>
 * <tr><td>{@code leasehold.clock.size}</td><td>gauge, bytes</td><td></td>
 *   <td>size of the clock document</td></tr>
 * </table>
 *
 * <p>The gauges of held leases, tickets and waiters show the present. The others come from a read of the whole clock document
 * at the start of the engine and every minute. Closing the engine removes all gauges; counts stay. Engines of one
 * namespace may share a registry: counts, held leases, tickets and waiters add up, and any other gauge shows the latest read.
 *
 * <p>In a namespace with partitions counts are those of all of them. Size and number of live writers are those of the
 * fullest partition, each for itself. Skews are shown to the writers of all, and an engine is another writer in each.
 *
 * <p>All times are counted on the engine's own clock. Nothing is ever decided from a meter, and a registry that throws
 * fails no operation; the first time is logged.
 */
public final class LeaseMeters {

    private final MeterRegistry registry;
    private final boolean leaseNames;

    private LeaseMeters(MeterRegistry registry, boolean leaseNames) {
        this.registry = registry;
        this.leaseNames = leaseNames;
    }

    /**
     * Meters in a registry, without lease names.
     *
     * @param registry the application's; it is never closed
     * @return meters to be given to {@link LeaseEngineBuilder#meters}
     * @throws IllegalArgumentException if the registry is null
     */
    public static LeaseMeters to(MeterRegistry registry) {
        if (registry == null) {
            throw new IllegalArgumentException("registry null is refused: meters need a MeterRegistry");
        }
        return new LeaseMeters(registry, false);
    }

    /**
     * The same, with the name of the lease as the tag {@code lease} of {@code leasehold.operations}. Every lease then has
     * meters of its own, which stay for as long as the registry does: only for a small and fixed set of leases. Engines
     * that share a registry should agree on it, since some registries refuse a meter whose tags differ.
     *
     * @return meters to be given to {@link LeaseEngineBuilder#meters}
     */
    public LeaseMeters withLeaseNames() {
        return new LeaseMeters(registry, true);
    }

    EngineMetrics forNamespace(String namespace) {
        return MicrometerMetrics.of(registry, namespace, leaseNames);
    }
}
