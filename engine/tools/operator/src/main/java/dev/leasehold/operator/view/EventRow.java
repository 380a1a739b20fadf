package dev.leasehold.operator.view;

import dev.leasehold.engine.LeaseEvent;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is shown.
 *
 * @param heardAt when this tool heard of it, on this machine's clock
 * @param serverTime when it happened, by the server's clock, to the second
 * @param event {@code acquired}, {@code ended}, {@code force-expired}, {@code pins-changed}, {@code removed}, {@code replaced}; or, of an engine,
 *     {@code came}, {@code session-began}, {@code closed}, {@code gone}
 * @param lease the lease; null for an engine
 * @param writer the engine; null for a lease
 * @param partition in which part of the namespace
 * @param holder what holds the lease since; null for nothing
 * @param token its token
 * @param comment what is said about it
 * @param pins what has pinned it
 */
public record EventRow(
        String heardAt,
        String serverTime,
        String event,
        @Nullable String lease,
        @Nullable String writer,
        String partition,
        @Nullable String holder,
        @Nullable Long token,
        @Nullable String comment,
        @Nullable List<String> pins) {

    /** What was told, as a row. */
    public static EventRow of(LeaseEvent event, Instant now) {
        if (event instanceof LeaseEvent.OfLease lease) {
            return new EventRow(
                    now.toString(),
                    lease.serverTime().toString(),
                    word(lease.change()),
                    lease.name(),
                    null,
                    lease.partition(),
                    lease.holder(),
                    lease.token(),
                    lease.comment(),
                    lease.pins().stream().sorted().toList());
        }
        LeaseEvent.OfWriter writer = (LeaseEvent.OfWriter) event;
        return new EventRow(
                now.toString(),
                writer.serverTime().toString(),
                word(writer.change()),
                null,
                writer.writer(),
                writer.partition(),
                null,
                null,
                null,
                null);
    }

    private static String word(Enum<?> change) {
        return change.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** In a sentence. */
    public String inWords() {
        if (lease == null) {
            return switch (event) {
                case "came" -> "engine " + writer + " has written for the first time";
                case "session-began" -> "engine " + writer + " keeps leases by its session now";
                case "closed" -> "engine " + writer + " was closed; its terms run out by themselves";
                default -> "engine " + writer + " is gone, and its session with all leases that it kept";
            };
        }
        return switch (event) {
            case "acquired" ->
                lease + " was acquired" + (holder == null ? "" : " by " + holder) + " under token " + token + said();
            case "ended" -> lease + " is free" + (token == null ? "" : "; its last token was " + token);
            case "force-expired" -> lease + " was ended by an operator" + said();
            case "pins-changed" ->
                pins == null || pins.isEmpty()
                        ? lease + " is not pinned any more"
                        : lease + " is pinned by " + String.join(", ", pins);
            case "removed" -> "the document of " + lease + " was removed";
            default -> "the document of " + lease + " was replaced by hand";
        };
    }

    private String said() {
        return comment == null ? "" : ": " + comment;
    }
}
