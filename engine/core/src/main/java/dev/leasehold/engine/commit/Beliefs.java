package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.StampClock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this engine's callers may believe that they hold. Safe for many threads; never blocks, does no I/O. */
public final class Beliefs {

    private static final Logger LOG = LoggerFactory.getLogger(Beliefs.class);

    /** Ended beliefs are cleared away each time the map has grown by so many. */
    private static final int SWEEP_EVERY = 1024;

    private final StampClock clock;
    private final Map<Tenure, Belief> beliefs = new ConcurrentHashMap<>();
    /** Tenures being given up: nothing that is still on its way may bring their belief back. */
    private final Set<Tenure> givenUp = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Beliefs(StampClock clock) {
        this.clock = clock;
    }

    public boolean holds(Tenure tenure) {
        return remainingNanos(tenure) > 0;
    }

    /** How long the belief lasts yet, by whichever clock ends it first; 0 when there is none. */
    public long remainingNanos(Tenure tenure) {
        Belief belief = get(tenure);
        return belief == null ? 0 : belief.remainingNanos(clock.nowNanos(), clock.wallNanos());
    }

    /** Ends a belief for good, before anything is sent that would end the tenure. */
    public void giveUp(Tenure tenure) {
        givenUp.add(tenure);
        beliefs.remove(tenure);
    }

    /** Ends a belief because the database says that the tenure is over. */
    void lost(Tenure tenure) {
        if (beliefs.remove(tenure) != null) {
            LOG.warn("{}: lost, the lease is no longer held under this token", Subject.of(tenure));
        }
    }

    /** To be called when the tenure is certainly over: nothing can form its belief any more. */
    public void forget(Tenure tenure) {
        // An extend that was under way when it was given up may have formed one, unseen until now.
        beliefs.remove(tenure);
        givenUp.remove(tenure);
    }

    /** Ends all beliefs for good. */
    public void close() {
        closed = true;
        beliefs.clear();
    }

    /** Whether the tenure is being given up: it may still be found in the database, but never gets its belief back. */
    boolean isGivenUp(Tenure tenure) {
        return givenUp.contains(tenure);
    }

    @Nullable Belief get(Tenure tenure) {
        return closed || givenUp.contains(tenure) ? null : beliefs.get(tenure);
    }

    /** Forms a belief, or prolongs the one that there is; it never gets shorter. */
    void form(Tenure tenure, Belief belief) {
        if (beliefs.size() % SWEEP_EVERY == SWEEP_EVERY - 1) {
            long nowNanos = clock.nowNanos();
            long wallNanos = clock.wallNanos();
            beliefs.values().removeIf(old -> !old.holdsAt(nowNanos, wallNanos));
        }
        beliefs.merge(tenure, belief, Belief::later);
    }
}
