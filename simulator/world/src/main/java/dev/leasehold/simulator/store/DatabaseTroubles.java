package dev.leasehold.simulator.store;

import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.world.Simulation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** What befalls the database from outside. Every method is called at the instant at which it happens. */
final class DatabaseTroubles {

    private static final Author HAND = new Author(Author.Kind.HAND, -1, -1, -1, null, null);
    private static final int NOBODY = -1;
    /** Until somebody whose transaction could not begin tries again. */
    private static final long AGAIN_NANOS = 5_000_000;

    private final Server server;
    private final Simulation simulation;
    private final ServerSession hand;
    private final Set<String> damaged = new LinkedHashSet<>();
    private @Nullable Places places;
    private long sessions;
    private int storms;
    private boolean down;
    private boolean healed;

    DatabaseTroubles(Server server) {
        this.server = server;
        this.simulation = server.simulation();
        this.hand = session(true);
    }

    /** Documents lie there. As long as there are none, there is nothing that troubles could befall. */
    void befall(Places ofClients) {
        places = ofClients;
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
        server.simulatedNetwork().losePrimary();
        simulation.after(durationNanos, this::elect);
    }

    void elect() {
        if (down) {
            down = false;
            server.versions().gainPrimary();
            server.simulatedNetwork().gainPrimary();
        }
    }

    void lag(long durationNanos) {
        server.versions().lagUntil(simulation.nowNanos() + durationNanos);
    }

    /** Where somebody else holds the document, the client dies without having asserted anything. */
    void stray(String lease) {
        if (places == null || down) {
            return;
        }
        ServerSession stray = session(false);
        String id = places.lease(lease, server.versions().newest());
        String touched = stripesOf(id) == 0 ? id : Ids.stripeOf(id, 1);
        Counts counts = begin(stray, List.of(inc(touched, "gates")));
        if (counts.kind() == Counts.Kind.DONE && counts.matched() == 0) {
            server.primary().end(open(stray));
        }
    }

    private static Statement inc(String id, String field) {
        BsonDocument one = new BsonDocument("$inc", new BsonDocument(field, new BsonInt64(1)));
        return new Statement.OfUpdate(new BsonDocument("_id", new BsonString(id)), one, false);
    }

    private static Statement removal(String id) {
        return new Statement.OfRemoval(new BsonDocument("_id", new BsonString(id)));
    }

    private Counts begin(ServerSession session, List<Statement> statements) {
        return server.primary().update(session, session.number() + 1, 0, statements);
    }

    private int stripesOf(String id) {
        Document found = server.versions().newest().documents().get(id);
        return found == null ? 0 : found.stripes();
    }

    private static ServerTransaction open(ServerSession session) {
        return Objects.requireNonNull(session.open());
    }

    void storm(int times, long holdNanos) {
        if (places != null) {
            blow(session(true), places.clock(storms++), times, holdNanos);
        }
    }

    private void blow(ServerSession session, String clock, int times, long holdNanos) {
        if (times == 0 || healed || down) {
            return;
        }
        if (begin(session, List.of(inc(clock, "ticks"))).kind() != Counts.Kind.DONE) {
            simulation.after(AGAIN_NANOS, () -> blow(session, clock, times - 1, holdNanos));
            return;
        }
        ServerTransaction transaction = open(session);
        simulation.after(holdNanos, () -> {
            if (session.open() == transaction) {
                server.primary().commit(transaction, HAND);
            }
            // In between there is room for those who have waited.
            simulation.after(1, () -> blow(session, clock, times - 1, holdNanos));
        });
    }

    void damage(DamageKind kind, String lease) {
        if (places == null) {
            return;
        }
        String id = places.lease(lease, server.versions().newest());
        if (kind == DamageKind.CORRUPT_LEASE) {
            damaged.add(id);
            byHand(new Statement.ByHand(id, Document::damaged));
        } else if (stripesOf(id) == 0) {
            byHand(removal(id));
        } else {
            removeWithStripes(session(true), id);
        }
    }

    /** In a transaction, as the manual says: a stripe that is left behind would let its tenure pass for ever. */
    private void removeWithStripes(ServerSession session, String id) {
        if (healed || down) {
            return;
        }
        List<Statement> removals = new ArrayList<>();
        for (int stripe = stripesOf(id); stripe > 0; stripe--) {
            removals.add(removal(Ids.stripeOf(id, stripe)));
        }
        removals.add(removal(id));
        if (begin(session, removals).kind() == Counts.Kind.DONE) {
            server.primary().commit(open(session), HAND);
        } else {
            simulation.after(AGAIN_NANOS, () -> removeWithStripes(session, id));
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
        damaged.forEach(id -> byHand(new Statement.ByHand(id, Document::repaired)));
    }
}
