package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.simulator.store.Statement.Effect;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What writes of lease documents rest on, and what they make of them. */
final class LeaseStatements {

    private LeaseStatements() {}

    /** A write of an engine. */
    record OfEngine(String documentId, LeaseWrite write) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            if (write instanceof LeaseWrite.Insert insert) {
                return found == null ? first(insert.document()) : Effect.COLLIDES;
            }
            if (!(found instanceof Document.Lease lease)) {
                return Effect.MISSES;
            }
            if (write instanceof LeaseWrite.Replace replace) {
                return replace(lease, replace);
            }
            return write instanceof LeaseWrite.Pin pin ? pin(lease, pin) : remove(lease, (LeaseWrite.Remove) write);
        }
    }

    private static Effect first(LeaseDocument document) {
        return Effect.writes(new Document.Lease(stored(document, document.gates(), Set.of()), true));
    }

    /** Gates and pins stay; all fields that may be damaged are written. */
    private static Effect replace(Document.Lease lease, LeaseWrite.Replace replace) {
        LeaseDocument before = lease.content();
        if (!isAt(before, replace.guard())
                || replace.unlessPinned() && !before.pins().isEmpty()) {
            return Effect.MISSES;
        }
        return Effect.writes(new Document.Lease(stored(replace.document(), before.gates(), before.pins()), true));
    }

    private static Effect pin(Document.Lease lease, LeaseWrite.Pin pin) {
        LeaseDocument before = lease.content();
        if (!isAt(before, pin.guard())) {
            return Effect.MISSES;
        }
        if (before.pins().contains(pin.entity()) == pin.pinned()) {
            return Effect.writes(lease);
        }
        Set<String> pins = new TreeSet<>(before.pins());
        if (pin.pinned()) {
            pins.add(pin.entity());
        } else {
            pins.remove(pin.entity());
        }
        return Effect.writes(new Document.Lease(stored(before, before.gates(), pins), lease.isSound()));
    }

    private static Effect remove(Document.Lease lease, LeaseWrite.Remove remove) {
        return isAt(lease.content(), remove.guard()) && lease.content().pins().isEmpty()
                ? Effect.REMOVES
                : Effect.MISSES;
    }

    private static boolean isAt(LeaseDocument document, LeaseGuard guard) {
        return document.writtenNanos() == guard.writtenNanos()
                && document.token() == guard.token()
                && document.writer().equals(guard.writer());
    }

    /** The database keeps dates in milliseconds. */
    private static LeaseDocument stored(LeaseDocument document, long gates, Set<String> pins) {
        return new LeaseDocument(
                document.namespace(),
                document.name(),
                document.holder(),
                document.token(),
                document.writer(),
                document.writtenNanos(),
                document.expiryNanos(),
                gates,
                document.comment(),
                Instant.ofEpochMilli(document.since().toEpochMilli()),
                pins,
                document.stripes());
    }

    /** A gate stripe takes the holder and the token of its lease, whatever it had; it is made where there is none. */
    record Follow(String documentId, LeaseDocument lease) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            long gates = found instanceof Document.Stripe stripe ? stripe.gates() : 0;
            Document.Stripe after =
                    new Document.Stripe(lease.namespace(), lease.name(), lease.holder(), lease.token(), gates);
            return Effect.writes(found != null && after.equals(found) ? found : after);
        }
    }

    /** A gate stripe that is about to be removed is there. */
    record Exist(String documentId, String namespace, String name) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            return Effect.writes(found != null ? found : new Document.Stripe(namespace, name, null, 0, 0));
        }
    }

    /** One more assertion of whoever holds the lease, as a dying client leaves it behind. */
    record Touch(String documentId) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            if (found instanceof Document.Stripe stripe) {
                return Effect.writes(new Document.Stripe(
                        stripe.namespace(), stripe.name(), stripe.holder(), stripe.token(), stripe.gates() + 1));
            }
            if (!(found instanceof Document.Lease lease)) {
                return Effect.MISSES;
            }
            LeaseDocument before = lease.content();
            return Effect.writes(
                    new Document.Lease(stored(before, before.gates() + 1, before.pins()), lease.isSound()));
        }
    }

    /** By hand: the document is damaged, or repaired. */
    record Damage(String documentId, boolean sound) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            return found instanceof Document.Lease lease && lease.isSound() != sound
                    ? Effect.writes(new Document.Lease(lease.content(), sound))
                    : Effect.MISSES;
        }
    }

    /** By hand: the document is gone. */
    record Removal(String documentId) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            return found == null ? Effect.MISSES : Effect.REMOVES;
        }
    }
}
