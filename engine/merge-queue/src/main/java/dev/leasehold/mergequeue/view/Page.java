package dev.leasehold.mergequeue.view;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.leasehold.mergequeue.view.ProviderView.HistoryView;
import dev.leasehold.mergequeue.view.ProviderView.HolderView;
import dev.leasehold.mergequeue.view.ProviderView.RunView;
import dev.leasehold.mergequeue.view.ProviderView.WaiterView;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The page for people. Times of day are those of the replica that makes it, and decide nothing. Safe for use by many threads. */
public final class Page {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int SHA_LENGTH = 12;
    private static final String NONE = "";

    /** What the page may load and run, for its header. */
    public static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private final Template template;
    private final InstantSource wallClock;

    /**
     * Reads the template.
     *
     * @param wallClock for times of day
     */
    public Page(InstantSource wallClock) {
        this.wallClock = wallClock;
        this.template = Mustache.compiler().compile(template());
    }

    private static String template() {
        try (InputStream file = Objects.requireNonNull(Page.class.getResourceAsStream("page.html"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the template cannot be read", e);
        }
    }

    /**
     * Makes the page.
     *
     * @param sight of the providers, in the order in which they are shown
     * @return HTML
     */
    public String html(Sight sight) {
        Instant now = wallClock.instant().minusSeconds(sight.age_seconds());
        return template.execute(Map.of(
                "now",
                TIME.format(now),
                "trouble",
                sight.trouble() == null
                        ? NONE
                        : "As last seen " + duration(sight.age_seconds()) + " ago: " + sight.trouble(),
                "providers",
                sight.providers().stream()
                        .map(provider -> provider(provider, now))
                        .toList()));
    }

    private static Map<String, Object> provider(ProviderView view, Instant now) {
        Map<String, Object> values = new HashMap<>();
        values.put("name", view.provider());
        values.put("servedBy", view.served_by() == null ? NONE : view.served_by());
        values.put("problem", view.problem() == null ? NONE : view.problem());
        values.put("round", view.round());
        values.put("state", state(view));
        values.put("stateClass", view.holder() != null ? "held" : view.waiting().isEmpty() ? "idle" : "settling");
        values.put("holder", view.holder() == null ? List.of() : List.of(holder(view.holder(), now)));
        values.put("window", window(view));
        values.put("hasWaiting", !view.waiting().isEmpty());
        values.put("waitingCount", view.waiting().size());
        values.put(
                "waiting",
                view.waiting().stream()
                        .map(waiter -> waiter(waiter, view.round()))
                        .toList());
        values.put("hasHistory", !view.history().isEmpty());
        values.put(
                "history",
                view.history().stream().map(hold -> history(hold, now)).toList());
        return values;
    }

    private static String state(ProviderView view) {
        return view.holder() != null ? "held" : view.waiting().isEmpty() ? "idle" : "settling";
    }

    private static String window(ProviderView view) {
        Long remaining = view.window_remaining_seconds();
        if (remaining == null) {
            return NONE;
        }
        String known = view.known_requests() + " of " + view.expected_requests() + " expected requests";
        return remaining == 0
                ? known + ". The set has settled: the first in line wins at its next poll."
                : known + ". The window closes in " + duration(remaining) + ".";
    }

    private static Map<String, Object> holder(HolderView holder, Instant now) {
        Map<String, Object> values = request(holder.run(), holder.priority());
        values.put("token", holder.token());
        values.put(
                "since",
                TIME.format(now.minusSeconds(holder.held_seconds())) + " UTC (" + duration(holder.held_seconds())
                        + ")");
        values.put("until", until(holder.remaining_seconds(), now));
        return values;
    }

    private static String until(@Nullable Long remaining, Instant now) {
        return remaining == null
                ? "it is released"
                : TIME.format(now.plusSeconds(remaining)) + " UTC at the latest (" + duration(remaining) + ")";
    }

    private static Map<String, Object> waiter(WaiterView waiter, long round) {
        Map<String, Object> values = request(waiter.run(), waiter.priority());
        values.put("place", waiter.place());
        values.put("seen", duration(waiter.seen_seconds()) + " ago");
        values.put("nextRound", waiter.round() > round);
        return values;
    }

    private static Map<String, Object> history(HistoryView hold, Instant now) {
        Map<String, Object> values = request(hold.run(), hold.priority());
        values.put("round", hold.round());
        values.put("token", hold.token());
        values.put("outcome", hold.outcome());
        values.put("outcomeClass", hold.outcome().equals("success") ? "good" : "bad");
        values.put("requests", hold.requests());
        values.put("held", duration(hold.held_seconds()));
        values.put("ended", TIME.format(now.minusSeconds(hold.ended_seconds())) + " UTC");
        return values;
    }

    private static Map<String, Object> request(RunView run, long priority) {
        String headSha = run.head_sha();
        Map<String, Object> values = new HashMap<>();
        values.put("sha", headSha);
        values.put("shortSha", headSha.substring(0, Math.min(SHA_LENGTH, headSha.length())));
        values.put("ref", run.head_ref());
        values.put("pullRequest", run.pull_request() == null ? NONE : "#" + run.pull_request());
        values.put("priority", priority);
        return values;
    }

    /** {@return two units at most, as people say it} */
    static String duration(long seconds) {
        long minutes = seconds / 60;
        long hours = minutes / 60;
        if (hours > 0) {
            return hours + " h " + minutes % 60 + " min";
        }
        return minutes > 0 ? minutes + " min " + seconds % 60 + " s" : seconds + " s";
    }
}
