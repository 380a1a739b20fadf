package dev.leasehold.engine;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import java.io.Serializable;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One lease as an engine saw it. A value: it does not change when the lease does.
 *
 * <p>Nothing here is a promise about the present. To act on a lease, hold it, and gate what you write with an
 * assertion.
 */
public sealed interface LeaseState extends Serializable {

    /** {@return the name of the lease} */
    String name();

    /** {@return how the lease stood} */
    LeaseStatus status();

    /** {@return one clause for people} */
    String describe();

    private static String pinned(Set<String> pins) {
        return pins.isEmpty()
                ? ""
                : ", pinned by "
                        + new TreeSet<>(pins).stream().map(LeaseNames::quote).collect(Collectors.joining(", "));
    }

    /**
     * There is no document: never claimed, or removed after it had long been vacant.
     *
     * @param name the name of the lease
     * @serial exclude
     */
    record Absent(String name) implements LeaseState {
        @Override
        public LeaseStatus status() {
            return LeaseStatus.FREE;
        }

        @Override
        public String describe() {
            return "lease " + LeaseNames.quote(name) + " does not exist";
        }
    }

    /**
     * No process holds it.
     *
     * @param name the name of the lease
     * @param token the token of its latest tenure, or one more if an operator has ended that by force
     * @param comment why it was ended, if an operator did; null otherwise
     * @param pins the entities that pin it; empty for none
     * @param keptFreeUntil the instant on <em>this engine's</em> clock strictly after which it may be taken, because its last holder
     *     had it for {@linkplain LeaseRequest#atLeast at least} a time; null when it may be taken at once
     * @serial exclude
     */
    record Vacant(
            String name,
            long token,
            @Nullable String comment,
            Set<String> pins,
            @Nullable Instant keptFreeUntil) implements LeaseState {

        /**
         * Copies the pins.
         *
         * @param name the name of the lease
         * @param token the token of its latest tenure, or one more if an operator has ended that by force
         * @param comment why it was ended, if an operator did; null otherwise
         * @param pins the entities that pin it
         * @param keptFreeUntil the instant on this engine's clock strictly after which it may be taken; null for at once
         */
        public Vacant {
            pins = Set.copyOf(pins);
        }

        /**
         * One that may be taken at once.
         *
         * @param name the name of the lease
         * @param token the token of its latest tenure, or one more if an operator has ended that by force
         * @param comment why it was ended, if an operator did; null otherwise
         * @param pins the entities that pin it
         */
        public Vacant(String name, long token, @Nullable String comment, Set<String> pins) {
            this(name, token, comment, pins, null);
        }

        @Override
        public LeaseStatus status() {
            return LeaseStatus.FREE;
        }

        @Override
        public String describe() {
            return "lease " + LeaseNames.quote(name) + " is vacant, last token " + token
                    + (keptFreeUntil == null
                            ? ""
                            : ", kept free until " + keptFreeUntil + " on this clock at the latest")
                    + (comment == null ? "" : ", comment " + LeaseNames.quote(comment))
                    + pinned(pins);
        }
    }

    /**
     * A process holds it.
     *
     * @param tenure its holder and token
     * @param status {@link LeaseStatus#ACTIVE} or {@link LeaseStatus#EXPIRED}
     * @param latestExpiry the instant on <em>this engine's</em> clock strictly after which the lease may be taken,
     *     if it is not renewed; null when this engine cannot tell
     * @param since wall time, when the tenure began, of the engine that wrote that, to the millisecond; for people, since
     *     times of day of two machines say nothing about each other
     * @param comment what the holder said about it
     * @param session whether it is kept by the session of its holder's engine, and has no term of its own
     * @param pins the entities that pin it; empty for none
     * @param payload what its holder {@linkplain LeaseRequest#payload publishes} with it; null for nothing. Not part of {@link #describe()}
     * @serial exclude
     */
    record Held(
            Tenure tenure,
            LeaseStatus status,
            @Nullable Instant latestExpiry,
            Instant since,
            @Nullable String comment,
            boolean session,
            Set<String> pins,
            @Nullable String payload)
            implements LeaseState {

        /**
         * Copies the pins.
         *
         * @param tenure its holder and token
         * @param status {@link LeaseStatus#ACTIVE} or {@link LeaseStatus#EXPIRED}
         * @param latestExpiry the instant on this engine's clock strictly after which the lease may be taken; null when this
         *     engine cannot tell
         * @param since wall time, when the tenure began, of the engine that wrote that
         * @param comment what the holder said about it
         * @param session whether it is kept by the session of its holder's engine
         * @param pins the entities that pin it
         * @param payload what its holder publishes with it; null for nothing
         */
        public Held {
            pins = Set.copyOf(pins);
        }

        /**
         * One whose holder publishes nothing.
         *
         * @param tenure its holder and token
         * @param status {@link LeaseStatus#ACTIVE} or {@link LeaseStatus#EXPIRED}
         * @param latestExpiry the instant on this engine's clock strictly after which the lease may be taken; null when this
         *     engine cannot tell
         * @param since wall time, when the tenure began, of the engine that wrote that
         * @param comment what the holder said about it
         * @param session whether it is kept by the session of its holder's engine
         * @param pins the entities that pin it
         */
        public Held(
                Tenure tenure,
                LeaseStatus status,
                @Nullable Instant latestExpiry,
                Instant since,
                @Nullable String comment,
                boolean session,
                Set<String> pins) {
            this(tenure, status, latestExpiry, since, comment, session, pins, null);
        }

        @Override
        public String name() {
            return tenure.name();
        }

        @Override
        public String describe() {
            return "lease " + LeaseNames.quote(name()) + " is held by " + LeaseNames.quote(tenure.holder())
                    + " under token "
                    + tenure.token()
                    + (latestExpiry == null ? "" : expiry(latestExpiry))
                    + (comment == null ? "" : ", comment " + LeaseNames.quote(comment))
                    + pinned(pins);
        }

        private String expiry(Instant latest) {
            return ", expiring at " + latest + " on this clock at the latest unless " + (session ? "its session" : "it")
                    + " is renewed";
        }
    }

    /**
     * Its document, or the entry of its writer in the clock document, breaks the schema.
     *
     * @param name the part of the document's id behind the namespace
     * @param documentId the id of the document at fault
     * @param field the field at fault
     * @param found what was found there
     * @serial exclude
     */
    record Corrupt(String name, String documentId, String field, String found) implements LeaseState {
        @Override
        public LeaseStatus status() {
            return LeaseStatus.CORRUPT;
        }

        @Override
        public String describe() {
            return "document " + LeaseNames.quote(documentId) + " is corrupt: field " + LeaseNames.quote(field) + ": "
                    + found;
        }
    }
}
