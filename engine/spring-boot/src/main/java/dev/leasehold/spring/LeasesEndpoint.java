package dev.leasehold.spring;

import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code leases}: lists leases, shows one, and takes orders of operators. Orders are off until {@code
 * management.endpoint.leases.access=unrestricted}.
 */
@Endpoint(id = "leases", defaultAccess = Access.READ_ONLY)
public class LeasesEndpoint {

    private final LeaseAdmin admin;

    /**
     * An endpoint for the leases of one namespace.
     *
     * @param admin of the engine
     */
    public LeasesEndpoint(LeaseAdmin admin) {
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
     * @param lease how the lease stands now
     */
    public record OrderDescriptor(boolean done, LeaseDescriptor lease) {}

    /**
     * Lists all leases of the namespace.
     *
     * @return with those that are vacant or corrupt
     * @throws InterruptedException if the thread was interrupted
     */
    @ReadOperation
    public LeasesDescriptor leases() throws InterruptedException {
        return new LeasesDescriptor(
                admin.leases().stream().map(LeasesEndpoint::descriptor).toList());
    }

    /**
     * Shows one lease.
     *
     * @param name of the lease
     * @return null if there is no such lease
     * @throws InterruptedException if the thread was interrupted
     */
    @ReadOperation
    public @Nullable LeaseDescriptor lease(@Selector String name) throws InterruptedException {
        LeaseState state = admin.inspect(name);
        return state instanceof LeaseState.Absent ? null : descriptor(state);
    }

    /**
     * Carries out an order.
     *
     * @param name of the lease
     * @param order {@code pin}, {@code unpin} or {@code force-expire}
     * @param entity who pins or unpins; null with another order
     * @param reason why the tenure is ended; null with another order
     * @return whether it was carried out
     * @throws InterruptedException if the thread was interrupted
     */
    @WriteOperation
    public OrderDescriptor order(@Selector String name, String order, @Nullable String entity, @Nullable String reason)
            throws InterruptedException {
        boolean done = switch (order) {
            case "pin" -> admin.pin(name, given("entity", order, entity));
            case "unpin" -> admin.unpin(name, given("entity", order, entity));
            case "force-expire" ->
                admin.forceExpire(name, given("reason", order, reason)).isGranted();
            default -> throw refused("order '" + order + "' is refused: it is pin, unpin or force-expire");
        };
        return new OrderDescriptor(done, descriptor(admin.inspect(name)));
    }

    private static String given(String parameter, String order, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw refused("order '" + order + "' is refused: it needs '" + parameter + "'");
        }
        return value;
    }

    private static InvalidEndpointRequestException refused(String message) {
        return new InvalidEndpointRequestException(message, message);
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
