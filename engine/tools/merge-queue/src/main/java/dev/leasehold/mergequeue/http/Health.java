package dev.leasehold.mergequeue.http;

import dev.leasehold.engine.EngineHealth;
import dev.leasehold.mergequeue.replica.Replica;
import java.util.Map;

/** What probes are told. Never blocks. */
final class Health {

    static final Map<String, Object> LIVE = Map.of("status", "up");

    private static final String UP = "up";
    private static final String DOWN = "down";

    private final Replica replica;

    Health(Replica replica) {
        this.replica = replica;
    }

    Map<String, Object> ready(boolean ending) {
        if (ending) {
            return Map.of("status", DOWN, "detail", "this replica is about to end");
        }
        EngineHealth health = replica.health();
        return Map.of("status", health.ready() ? UP : DOWN, "detail", health.detail());
    }

    static int status(Map<String, Object> body) {
        return UP.equals(body.get("status")) ? 200 : 503;
    }
}
