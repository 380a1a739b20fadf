package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.world.World;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What befalls the database from outside. Every method is called at the instant at which it happens. */
final class DatabaseTroubles {

    private static final Author HAND = new Author(Author.Kind.HAND, -1, -1, -1, null, null);
    private static final int NOBODY = -1;
    /** Until somebody whose transaction could not begin tries again. */
    private static final long AGAIN_NANOS = 5_000_000;

    private final Server server;
    private final World world;
    private final ServerSession hand;
    private final Set<String> damaged = new LinkedHashSet<>();
    private @Nullable String namespace;
    private long sessions;
    private boolean down;
    private boolean healed;

    DatabaseTroubles(Server server) {
        this.server = server;
        this.world = server.world();
        this.hand = session(true);
    }

    /** Documents are of this namespace. As long as there is none, there is nothing that they could befall. */
    void befall(String ofClients) {
        namespace = ofClients;
    }

    private ServerSession session(boolean endsWhatItBegins) {
        sessions++;
        return server.primary()
                .session(new UUID(0x4001L, 0x8000_0000_0000_0000L | sessions), NOBODY, number -> endsWhatItBegins);
    }

    void failOver(long durationNanos, boolean losesUnreplicated) {
        if (down) {
            return;
        }
        down = true;
        Versions versions = server.versions();
        server.primary().lose(losesUnreplicated ? versions.majorityPoint() : versions.newestPoint());
        versions.losePrimary(losesUnreplicated);
        server.wire().losePrimary();
        world.after(durationNanos, this::elect);
    }

    private void elect() {
        if (down) {
            down = false;
            server.versions().gainPrimary();
            server.wire().gainPrimary();
        }
    }

    void lag(long durationNanos) {
        server.versions().lagUntil(world.nowNanos() + durationNanos);
    }

    /** Where somebody else holds the document, the client dies without having asserted anything. */
    void stray(String lease) {
        if (namespace == null || down) {
            return;
        }
        ServerSession stray = session(false);
        Counts counts = begin(stray, new LeaseStatements.Touch(Ids.lease(namespace, lease)));
        if (counts.kind() == Counts.Kind.DONE && counts.matched() == 0) {
            server.primary().end(open(stray));
        }
    }

    private Counts begin(ServerSession session, Statement statement) {
        return server.primary().update(session, session.number() + 1, 0, List.of(statement));
    }

    private static ServerTransaction open(ServerSession session) {
        return Objects.requireNonNull(session.open());
    }

    void storm(int times, long holdNanos) {
        if (namespace != null) {
            blow(session(true), namespace, times, holdNanos);
        }
    }

    private void blow(ServerSession session, String clock, int times, long holdNanos) {
        if (times == 0 || healed || down) {
            return;
        }
        if (begin(session, new ClockStatements.Tick(clock)).kind() != Counts.Kind.DONE) {
            world.after(AGAIN_NANOS, () -> blow(session, clock, times - 1, holdNanos));
            return;
        }
        ServerTransaction transaction = open(session);
        world.after(holdNanos, () -> {
            if (session.open() == transaction) {
                server.primary().commit(transaction, HAND);
            }
            // In between there is room for those who have waited.
            world.after(1, () -> blow(session, clock, times - 1, holdNanos));
        });
    }

    void damage(Action.Damage.Kind kind, String lease) {
        if (namespace == null) {
            return;
        }
        String id = Ids.lease(namespace, lease);
        if (kind == Action.Damage.Kind.CORRUPT_LEASE) {
            damaged.add(id);
            byHand(new LeaseStatements.Damage(id, false));
        } else {
            byHand(new LeaseStatements.Removal(id));
        }
    }

    private void byHand(Statement statement) {
        if (!down) {
            server.primary().writeByHand(hand, statement, HAND);
        }
    }

    /** There is a primary, no lag, no damage, and no transaction of somebody who is no more. */
    void heal() {
        healed = true;
        elect();
        server.versions().catchUp();
        server.primary().endAbandoned();
        // One who is to do damage yet, behind a transaction, is to repair it after that.
        damaged.forEach(id -> byHand(new LeaseStatements.Damage(id, true)));
    }
}
