package dev.leasehold.pekko;

import dev.leasehold.assertions.LeaseAssertion;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.cluster.sharding.ShardRegion;

/** A singleton or an entity that works all the time, and records what it does and whether its lease says that it may. */
final class RecordingActor extends AbstractActorWithTimers {

    private static final Duration PERIOD = Duration.ofMillis(50);
    private static final String TICK = "tick";

    private final Recorder recorder;
    private final LeaseholdLease lease;
    private final LeaseAssertion assertion;

    RecordingActor(Recorder recorder) {
        this.recorder = recorder;
        ActorPath self = getSelf().path();
        this.lease = self.parent().name().equals(ClusterNode.SINGLETON)
                ? LeaseholdLease.ofSingleton(getContext().getSystem(), self, LeaseholdLease.DEFAULTS)
                : LeaseholdLease.ofShard(
                        getContext().getSystem(),
                        ClusterNode.TYPE,
                        URLDecoder.decode(self.parent().name(), StandardCharsets.UTF_8),
                        ClusterNode.SHARD_LEASE);
        // Once: a later tenure of this node is not that of this actor.
        this.assertion = lease.assertion();
    }

    @Override
    public void preStart() {
        getTimers().startTimerWithFixedDelay(TICK, TICK, PERIOD);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .matchEquals(TICK, tick -> work())
                .matchEquals("stop", stop -> getContext().stop(getSelf()))
                .match(ShardRegion.StartEntity.class, start -> {})
                .match(String.class, wake -> {})
                .build();
    }

    private void work() {
        long nanos = System.nanoTime();
        if (lease.checkLease() && lease.token() == assertion.tenure().token()) {
            recorder.held(assertion.tenure(), nanos);
        }
        recorder.gated(assertion);
    }

    @Override
    public void postStop() {
        recorder.stopped(assertion.tenure());
    }
}
