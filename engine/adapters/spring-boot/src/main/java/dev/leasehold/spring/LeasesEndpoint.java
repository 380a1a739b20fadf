package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.WaiterDetails;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator endpoint {@code leases}: lists leases, shows one with the latest records of its occurrences and its waiters, and
 * takes orders of operators. Orders are off until {@code management.endpoint.leases.access=unrestricted}.
 *
 * <p>A parameter names the lease, and not the path of an order: of a path servers and clients drop empty segments, dots and what follows a
 * semicolon, so that an order for one lease would reach another one.
 */
@Endpoint(id = "leases", defaultAccess = Access.READ_ONLY)
public class LeasesEndpoint {

    private static final int BAD_REQUEST = 400;

    /** How many records the endpoint shows of one lease. */
    private static final int RECORDS_MAX = 20;

    private final Supplier<LeaseAdmin> admin;

    /**
     * An endpoint for the leases of one namespace.
     *
     * @param admin of the engine
     */
    public LeasesEndpoint(LeaseAdmin admin) {
        this(() -> admin);
    }

    /** For an engine that may have no database yet. */
    LeasesEndpoint(Supplier<LeaseAdmin> admin) {
        this.admin = admin;
    }

    /**
     * A lease as the endpoint shows it.
     *
     * @param name of the lease
     * @param status as of {@link dev.leasehold.engine.LeaseStatus}, in small letters
     * @param holder of the lease; null if it is vacant
     * @param token of the present or last tenure; null if there is none
     * @param since when the tenure began, by the wall clock of its holder; null if the lease is vacant
     * @param comment of the holder, or of the operator who ended the last tenure; null for none
     * @param payload what the holder publishes with it, for programs; null for nothing
     * @param pins the entities that pin it
     * @param description in one sentence
     * @param occurrences the latest that were done, the last one first; null in a list of leases
     * @param waiters the waiters, the first one first; null in a list of leases
     */
    public record LeaseDescriptor(
            String name,
            String status,
            @Nullable String holder,
            @Nullable Long token,
            @Nullable Instant since,
            @Nullable String comment,
            @Nullable String payload,
            Set<String> pins,
            String description,
            @Nullable List<OccurrenceDescriptor> occurrences,
            @Nullable List<WaiterDescriptor> waiters) {

        /**
         * A lease without its payload, occurrences and waiters.
         *
         * @param name of the lease
         * @param status as of {@link dev.leasehold.engine.LeaseStatus}, in small letters
         * @param holder of the lease; null if it is vacant
         * @param token of the present or last tenure; null if there is none
         * @param since when the tenure began, by the wall clock of its holder; null if the lease is vacant
         * @param comment of the holder, or of the operator who ended the last tenure; null for none
         * @param pins the entities that pin it
         * @param description in one sentence
         */
        public LeaseDescriptor(
                String name,
                String status,
                @Nullable String holder,
                @Nullable Long token,
                @Nullable Instant since,
                @Nullable String comment,
                Set<String> pins,
                String description) {
            this(name, status, holder, token, since, comment, null, pins, description, null, null);
        }

        private LeaseDescriptor with(List<OccurrenceDescriptor> done, List<WaiterDescriptor> waiting) {
            return new LeaseDescriptor(
                    name, status, holder, token, since, comment, payload, pins, description, done, waiting);
        }
    }

    /**
     * A ticket in the wait queue of a lease.
     *
     * @param position in the order in which the waiters are served, from 1
     * @param instance the process that waits
     * @param holder for which it waits
     * @param priority the higher one goes first
     * @param comment what for; null for nothing
     * @param since when the ticket was made, by the wall clock of that process
     * @param present whether its engine has an entry in the database; one without never gets the lease
     */
    public record WaiterDescriptor(
            int position,
            String instance,
            String holder,
            int priority,
            @Nullable String comment,
            Instant since,
            boolean present) {

        private WaiterDescriptor(WaiterDetails waiter) {
            this(
                    waiter.position(),
                    waiter.instance(),
                    waiter.holder(),
                    waiter.priority(),
                    waiter.comment(),
                    waiter.since(),
                    waiter.present());
        }
    }

    /**
     * The record that an occurrence of a lease's work was done.
     *
     * @param occurrence which one
     * @param done when, on the clock of the database server
     * @param holder that did it
     * @param token of the tenure under which it was done
     */
    public record OccurrenceDescriptor(String occurrence, Instant done, String holder, long token) {

        private OccurrenceDescriptor(OccurrenceRecord record) {
            this(
                    record.occurrence(),
                    record.done(),
                    record.tenure().holder(),
                    record.tenure().token());
        }
    }

    /**
     * All leases.
     *
     * @param leases in the order of their names
     */
    public record LeasesDescriptor(List<LeaseDescriptor> leases) {}

    /**
     * The answer to an order.
     *
     * @param done whether it was carried out
     * @param reason why not; null if it was
     * @param lease how the lease stands now; null if the order itself was refused
     */
    public record OrderDescriptor(
            boolean done, @Nullable String reason, @Nullable LeaseDescriptor lease) {}

    /**
     * Why a request is refused.
     *
     * @param reason with the value and the rule
     */
    public record RefusalDescriptor(String reason) {}

    /**
     * Lists all leases of the namespace, with those that are vacant or corrupt; or shows one of them, with the latest records of its
     * occurrences and its waiters. The document of a lease that was vacant for long is removed before its records are.
     *
     * @param name of the lease to show, exactly; null for the list
     * @return a {@link LeasesDescriptor}, or a {@link LeaseDescriptor}; with status 400 a {@link RefusalDescriptor} if no lease can have that
     *     name; null if there is neither such a lease nor a record nor a waiter
     * @throws InterruptedException if the thread was interrupted
     */
    @ReadOperation
    public @Nullable WebEndpointResponse<?> leases(@Nullable String name) throws InterruptedException {
        if (name == null) {
            return new WebEndpointResponse<>(new LeasesDescriptor(admin.get().leases().stream()
                    .map(LeasesEndpoint::descriptor)
                    .toList()));
        }
        try {
            LeaseNames.checkName(name);
        } catch (IllegalArgumentException e) {
            return new WebEndpointResponse<>(new RefusalDescriptor(String.valueOf(e.getMessage())), BAD_REQUEST);
        }
        LeaseDescriptor lease = lease(name);
        return lease == null ? null : new WebEndpointResponse<>(lease);
    }

    /**
     * Shows one lease, as {@link #leases} does with a name.
     *
     * @param path the name, if no segment of it is empty or has a semicolon
     * @return as that
     * @throws InterruptedException if the thread was interrupted
     */
    @ReadOperation
    public @Nullable WebEndpointResponse<?> leaseOfPath(@Selector(match = Match.ALL_REMAINING) String... path)
            throws InterruptedException {
        return leases(String.join("/", path));
    }

    private @Nullable LeaseDescriptor lease(String lease) throws InterruptedException {
        LeaseState state = admin.get().inspect(lease);
        List<OccurrenceDescriptor> done = admin.get().occurrences(lease, RECORDS_MAX).stream()
                .map(OccurrenceDescriptor::new)
                .toList();
        List<WaiterDescriptor> waiting =
                admin.get().waiters(lease).stream().map(WaiterDescriptor::new).toList();
        return state instanceof LeaseState.Absent && done.isEmpty() && waiting.isEmpty()
                ? null
                : descriptor(state).with(done, waiting);
    }

    /**
     * Removes the record of an occurrence, so that it can be done again. What the first run has done stays.
     *
     * @param name of the lease, exactly
     * @param occurrence which one
     * @param reason why; logged
     * @return whether there was one, with the lease and its other records; with status 400 if one of them is missing or refused
     * @throws InterruptedException if the thread was interrupted; it may have been removed
     */
    @DeleteOperation
    public WebEndpointResponse<OrderDescriptor> forgetOccurrence(
            @Nullable String name, @Nullable String occurrence, @Nullable String reason) throws InterruptedException {
        String lease;
        boolean isDone;
        try {
            lease = given("name", name);
            isDone = admin.get()
                    .forgetOccurrence(lease, given("occurrence", occurrence), given("reason", reason))
                    .isPresent();
        } catch (IllegalArgumentException e) {
            String refusal = "removal of an occurrence is refused: " + e.getMessage();
            return new WebEndpointResponse<>(new OrderDescriptor(false, refusal, null), BAD_REQUEST);
        }
        return new WebEndpointResponse<>(
                new OrderDescriptor(isDone, isDone ? null : "there is no such record", lease(lease)));
    }

    /**
     * Carries out an order.
     *
     * @param name of the lease, exactly
     * @param order {@code pin}, {@code unpin} or {@code force-expire}
     * @param entity that pins or unpins; null with another order
     * @param reason why the tenure is ended; null with another order
     * @return whether it was carried out, and if not, why; with status 400 if the order is incomplete or unknown
     * @throws InterruptedException if the thread was interrupted
     */
    @WriteOperation
    public WebEndpointResponse<OrderDescriptor> order(
            @Nullable String name, @Nullable String order, @Nullable String entity, @Nullable String reason)
            throws InterruptedException {
        String lease;
        @Nullable String notDone;
        try {
            lease = given("name", name);
            notDone = switch (Objects.requireNonNullElse(order, "")) {
                case "pin" -> admin.get().pin(lease, given("entity", entity)) ? null : "there is no such lease";
                case "unpin" -> admin.get().unpin(lease, given("entity", entity)) ? null : "there is no such lease";
                case "force-expire" ->
                    admin.get().forceExpire(lease, given("reason", reason)) instanceof Refusal refusal
                            ? refusal.message()
                            : null;
                default -> throw new IllegalArgumentException("it is pin, unpin or force-expire");
            };
        } catch (IllegalArgumentException e) {
            String refusal = "order '" + order + "' is refused: " + e.getMessage();
            return new WebEndpointResponse<>(new OrderDescriptor(false, refusal, null), BAD_REQUEST);
        }
        return new WebEndpointResponse<>(new OrderDescriptor(
                notDone == null, notDone, descriptor(admin.get().inspect(lease))));
    }

    private static String given(String parameter, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("it needs '" + parameter + "'");
        }
        return value;
    }

    private static LeaseDescriptor descriptor(LeaseState state) {
        String status = state.status().name().toLowerCase(Locale.ROOT);
        if (state instanceof LeaseState.Held held) {
            return new LeaseDescriptor(
                    held.name(),
                    status,
                    held.tenure().holder(),
                    held.tenure().token(),
                    held.since(),
                    held.comment(),
                    held.payload(),
                    held.pins(),
                    held.describe(),
                    null,
                    null);
        }
        if (state instanceof LeaseState.Vacant vacant) {
            return new LeaseDescriptor(
                    vacant.name(),
                    status,
                    null,
                    vacant.token(),
                    null,
                    vacant.comment(),
                    null,
                    vacant.pins(),
                    vacant.describe(),
                    null,
                    null);
        }
        return new LeaseDescriptor(
                state.name(), status, null, null, null, null, null, Set.of(), state.describe(), null, null);
    }
}
