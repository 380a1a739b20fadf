package dev.leasehold.spring;

import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator endpoint {@code leases}: lists leases, shows one, and takes orders of operators. Orders are off until {@code
 * management.endpoint.leases.access=unrestricted}.
 */
@Endpoint(id = "leases", defaultAccess = Access.READ_ONLY)
public class LeasesEndpoint {

    private static final int BAD_REQUEST = 400;

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
     * @param holder who has it; null if nobody
     * @param token of the present or last tenure; null if there is none
     * @param since when the tenure began, by the wall clock of its holder; null if nobody has it
     * @param comment of the holder, or of the operator who ended the last tenure; null for none
     * @param pins who wants that nobody takes it
     * @param description in one sentence
     */
    public record LeaseDescriptor(
            String name,
            String status,
            @Nullable String holder,
            @Nullable Long token,
            @Nullable Instant since,
            @Nullable String comment,
            Set<String> pins,
            String description) {}

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
     * Lists all leases of the namespace.
     *
     * @return with those that are vacant or corrupt
     * @throws InterruptedException if the thread was interrupted
     */
    @ReadOperation
    public LeasesDescriptor leases() throws InterruptedException {
        return new LeasesDescriptor(
                admin.get().leases().stream().map(LeasesEndpoint::descriptor).toList());
    }

    /**
     * Shows one lease.
     *
     * @param name of the lease, in which slashes separate segments
     * @return null if there is no such lease
     * @throws InterruptedException if the thread was interrupted
     */
    @ReadOperation
    public @Nullable LeaseDescriptor lease(@Selector(match = Match.ALL_REMAINING) String... name)
            throws InterruptedException {
        LeaseState state = admin.get().inspect(String.join("/", name));
        return state instanceof LeaseState.Absent ? null : descriptor(state);
    }

    /**
     * Carries out an order.
     *
     * @param order {@code pin}, {@code unpin} or {@code force-expire}
     * @param entity who pins or unpins; null with another order
     * @param reason why the tenure is ended; null with another order
     * @param name of the lease, in which slashes separate segments
     * @return whether it was carried out, and if not, why; with status 400 if the order is incomplete or unknown
     * @throws InterruptedException if the thread was interrupted
     */
    @WriteOperation
    public WebEndpointResponse<OrderDescriptor> order(
            @Nullable String order,
            @Nullable String entity,
            @Nullable String reason,
            @Selector(match = Match.ALL_REMAINING) String... name)
            throws InterruptedException {
        String lease = String.join("/", name);
        @Nullable String notDone;
        try {
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
                    held.pins(),
                    held.describe());
        }
        if (state instanceof LeaseState.Vacant vacant) {
            return new LeaseDescriptor(
                    vacant.name(),
                    status,
                    null,
                    vacant.token(),
                    null,
                    vacant.comment(),
                    vacant.pins(),
                    vacant.describe());
        }
        return new LeaseDescriptor(state.name(), status, null, null, null, null, Set.of(), state.describe());
    }
}
