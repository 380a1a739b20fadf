package dev.leasehold.mergequeue.view;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.view.ProviderView.HistoryView;
import dev.leasehold.mergequeue.view.ProviderView.HolderView;
import dev.leasehold.mergequeue.view.ProviderView.RunView;
import dev.leasehold.mergequeue.view.ProviderView.WaiterView;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The page for people: a frame around a board, which a script fetches again and changes in place. Times of day are those of the replica that
 * makes it, and decide nothing. Safe for use by many threads.
 */
public final class Page {

    /** What the page may load and run, for its header. */
    public static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none';"
                    + " base-uri 'none'; form-action 'self'";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int SHA_LENGTH = 12;
    private static final String NONE = "";

    /** Only what looks like one becomes a part of an address. */
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

    private static final Pattern RUN = Pattern.compile("\\d{1,19}");

    /** As GitHub names the branches of its merge queues. */
    private static final Pattern QUEUE_BRANCH = Pattern.compile("(?:.*/)?pr-(\\d{1,10})-[0-9a-f]{40}");

    /** The end of such a name: the commit stands beside it. */
    private static final Pattern QUEUE_COMMIT = Pattern.compile("(?<=pr-\\d{1,10})-[0-9a-f]{40}$");

    /** What needs attention first. */
    private static final List<String> STATES = List.of("damaged", "long hold", "held", "settling", "idle");

    private final Template frame;
    private final Template board;
    private final InstantSource wallClock;
    private final String github;
    private final @Nullable String operator;

    /**
     * Reads the templates.
     *
     * @param wallClock for times of day
     * @param github where repositories are, for links, such as {@code https://github.com}
     * @param operator where the page of the operator's tool is, for links to the leases; null for none
     */
    public Page(InstantSource wallClock, String github, @Nullable String operator) {
        this.wallClock = wallClock;
        this.github = github;
        this.operator = operator;
        this.frame = template("page.html");
        this.board = template("board.html");
    }

    private static Template template(String name) {
        return Mustache.compiler()
                .emptyStringIsFalse(true)
                .compile(resource(Page.class.getResourceAsStream(name), name));
    }

    private static String resource(@Nullable InputStream stream, String name) {
        try (InputStream file = Objects.requireNonNull(stream, name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be read", e);
        }
    }

    /** {@return the style, which the operator's tool has too} */
    public static String style() {
        return resource(Page.class.getResourceAsStream("/dev/leasehold/pages/style.css"), "style.css");
    }

    /** {@return the script, which the operator's tool has too} */
    public static String script() {
        return resource(Page.class.getResourceAsStream("/dev/leasehold/pages/page.js"), "page.js");
    }

    /**
     * What of the providers is shown, as the address of the page says it.
     *
     * @param text which the name of a provider contains
     * @param show only providers in this state; empty for all
     * @param mayClear whether the reader may clear queues
     */
    public record Wanted(String text, String show, boolean mayClear) {

        boolean fits(ProviderView view) {
            return (show.isEmpty()
                            || show.equals(state(view))
                            || show.equals("waiting") && !view.waiting().isEmpty())
                    && view.provider().toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
        }
    }

    /** {@return the time of day, by which the script of the page counts} */
    public Instant now() {
        return wallClock.instant();
    }

    /**
     * Makes the page.
     *
     * @param latest view of the providers
     * @param wanted which of them are shown
     * @return HTML
     */
    public String html(ProvidersView latest, Wanted wanted) {
        return frame.execute(
                Map.of("now", TIME.format(now().minusSeconds(latest.age_seconds())), "board", board(latest, wanted)));
    }

    /**
     * Makes the part of the page that changes.
     *
     * @param latest view of the providers
     * @param wanted which of them are shown
     * @return HTML
     */
    public String board(ProvidersView latest, Wanted wanted) {
        Instant now = now().minusSeconds(latest.age_seconds());
        List<ProviderView> shown = latest.providers().stream()
                .filter(wanted::fits)
                .sorted(Comparator.comparingInt(view -> STATES.indexOf(state(view))))
                .toList();
        Map<String, Object> values = new HashMap<>();
        values.put(
                "trouble",
                latest.trouble() == null
                        ? NONE
                        : "As last seen " + duration(latest.age_seconds()) + " ago: "
                                + LeaseNames.visible(latest.trouble()));
        values.put("tiles", tiles(latest.providers(), wanted));
        values.put("q", wanted.text());
        values.put("show", wanted.show());
        values.put("none", shown.isEmpty());
        values.put(
                "providers",
                shown.stream().map(provider -> provider(provider, now, wanted)).toList());
        return board.execute(values);
    }

    private static List<Map<String, Object>> tiles(List<ProviderView> all, Wanted wanted) {
        Map<String, Long> counts = all.stream().collect(Collectors.groupingBy(Page::state, Collectors.counting()));
        List<Map<String, Object>> tiles = new ArrayList<>();
        tiles.add(tile("", "all queues", all.size(), "all", wanted));
        for (String state : STATES) {
            long count = counts.getOrDefault(state, 0L);
            tiles.add(tile(state, state, count, style(state), wanted));
        }
        long waiting = all.stream().mapToLong(view -> view.waiting().size()).sum();
        tiles.add(tile("waiting", "runs waiting", waiting, "waiting", wanted));
        return tiles;
    }

    private static String style(String state) {
        return switch (state) {
            case "damaged" -> "corrupt";
            case "long hold" -> "expired";
            case "settling" -> "waiting";
            default -> state;
        };
    }

    private static Map<String, Object> tile(String show, String words, long count, String style, Wanted wanted) {
        return Map.of(
                "id",
                "tile-" + (show.isEmpty() ? "all" : show.replace(' ', '-')),
                "words",
                words,
                "count",
                count,
                "class",
                style + (count == 0 ? " none" : ""),
                "link",
                "/?show=" + encoded(show) + (wanted.text().isEmpty() ? "" : "&q=" + encoded(wanted.text())),
                "current",
                show.equals(wanted.show()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The path of a provider; the slashes in the name of its branch stay. */
    private static String path(String provider) {
        return "/"
                + Pattern.compile("/")
                        .splitAsStream(provider)
                        .map(part -> encoded(part).replace("+", "%20"))
                        .collect(Collectors.joining("/"));
    }

    private Map<String, Object> provider(ProviderView view, Instant now, Wanted wanted) {
        String state = state(view);
        boolean isIdle = state.equals("idle");
        String repository = repository(view.provider());
        Map<String, Object> values = new HashMap<>();
        values.put("name", view.provider());
        values.put("shownName", LeaseNames.visible(view.provider()));
        values.put("id", "queue-" + encoded(view.provider()));
        values.put("path", path(view.provider()));
        values.put("leaseLink", leaseLink(view.provider()));
        values.put("servedBy", view.served_by() == null ? NONE : view.served_by());
        values.put("problem", view.problem() == null ? NONE : LeaseNames.visible(view.problem()));
        values.put("round", view.round());
        values.put("state", state);
        values.put("stateClass", pill(state));
        values.put("holder", view.holder() == null ? List.of() : List.of(holder(view.holder(), now, repository)));
        values.put("window", window(view));
        values.put("hasWaiting", !view.waiting().isEmpty());
        values.put("isIdle", isIdle);
        values.put("waitingCount", view.waiting().size());
        values.put(
                "waiting",
                view.waiting().stream()
                        .map(waiter -> waiter(waiter, view, now, repository))
                        .toList());
        values.put("hasHistory", !view.history().isEmpty());
        values.put(
                "history",
                view.history().stream()
                        .map(hold -> history(hold, view.provider(), now, repository))
                        .toList());
        values.put("mayClear", wanted.mayClear() && !isIdle);
        return values;
    }

    private String leaseLink(String provider) {
        return operator == null ? NONE : operator + "/lease?ns=" + Replica.NAMESPACE + "&name=" + encoded(provider);
    }

    private String repository(String provider) {
        String[] parts = provider.split("/", 3);
        return parts.length < 3 ? NONE : github + "/" + encoded(parts[0]) + "/" + encoded(parts[1]);
    }

    private static String state(ProviderView view) {
        if (view.problem() != null) {
            return "damaged";
        }
        if (view.holder() != null) {
            return view.holder().long_hold() ? "long hold" : "held";
        }
        return view.waiting().isEmpty() ? "idle" : "settling";
    }

    private static String pill(String state) {
        return switch (state) {
            case "damaged" -> "corrupt";
            case "long hold" -> "expired";
            default -> state;
        };
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

    private static Map<String, Object> holder(HolderView holder, Instant now, String repository) {
        Map<String, Object> values = request(holder.run(), holder.priority(), repository);
        Instant since = now.minusSeconds(holder.held_seconds());
        values.put("token", holder.token());
        values.put("waited", duration(holder.waited_seconds()));
        values.put("since", since);
        values.put("sinceText", TIME.format(since) + " UTC (" + duration(holder.held_seconds()) + ")");
        values.put("until", holder.remaining_seconds() == null ? List.of() : List.of(until(holder, now)));
        return values;
    }

    private static Map<String, Object> until(HolderView holder, Instant now) {
        long remaining = Objects.requireNonNull(holder.remaining_seconds());
        Instant until = now.plusSeconds(remaining);
        return Map.of(
                "at",
                until,
                "text",
                TIME.format(until) + " UTC at the latest (" + duration(remaining) + ")",
                "spanMillis",
                Math.max(1, 1_000 * (holder.held_seconds() + remaining)));
    }

    private static Map<String, Object> waiter(WaiterView waiter, ProviderView view, Instant now, String repository) {
        RunView run = waiter.run();
        Map<String, Object> values = request(run, waiter.priority(), repository);
        // With a mark between that none of them may have: the script of the page shows one row for each id.
        values.put(
                "rowId",
                "wait-"
                        + encoded(view.provider() + "~" + run.head_sha() + "~" + run.run_id() + "~" + run.run_attempt()
                                + "~" + run.job()));
        values.put("place", waiter.place());
        values.put("seen", now.minusSeconds(waiter.seen_seconds()));
        values.put("seenText", duration(waiter.seen_seconds()) + " ago");
        values.put("waits", now.minusSeconds(waiter.waited_seconds()));
        values.put("waitsText", duration(waiter.waited_seconds()) + " ago");
        values.put("nextRound", waiter.round() > view.round());
        return values;
    }

    private static Map<String, Object> history(HistoryView hold, String provider, Instant now, String repository) {
        Map<String, Object> values = request(hold.run(), hold.priority(), repository);
        values.put("rowId", "hold-" + encoded(provider) + "-" + hold.token());
        Instant ended = now.minusSeconds(hold.ended_seconds());
        values.put("round", hold.round());
        values.put("token", hold.token());
        values.put("outcome", hold.outcome());
        values.put("outcomeClass", hold.outcome().equals("success") ? "success" : "failure");
        values.put("requests", hold.requests());
        values.put("held", duration(hold.held_seconds()));
        values.put("ended", ended);
        values.put("endedText", TIME.format(ended) + " UTC");
        return values;
    }

    /** With links to where GitHub shows it, as far as the caller has said what it is. */
    private static Map<String, Object> request(RunView run, long priority, String repository) {
        String headSha = run.head_sha();
        String pullRequest = pullRequest(run);
        boolean isRun = run.run_id() != null && RUN.matcher(run.run_id()).matches();
        Map<String, Object> values = new HashMap<>();
        values.put("sha", LeaseNames.visible(headSha));
        values.put("shortSha", LeaseNames.visible(headSha.substring(0, Math.min(SHA_LENGTH, headSha.length()))));
        values.put("ref", LeaseNames.visible(run.head_ref()));
        values.put(
                "shortRef",
                LeaseNames.visible(QUEUE_COMMIT.matcher(run.head_ref()).replaceFirst("")));
        values.put("pullRequest", pullRequest.isEmpty() ? NONE : "#" + pullRequest);
        values.put("priority", priority);
        values.put("by", LeaseNames.visible(run.by()));
        values.put(
                "commitLink",
                repository.isEmpty() || !COMMIT.matcher(headSha).matches() ? NONE : repository + "/commit/" + headSha);
        values.put(
                "pullRequestLink",
                repository.isEmpty() || pullRequest.isEmpty() ? NONE : repository + "/pull/" + pullRequest);
        values.put(
                "runLink",
                repository.isEmpty() || !isRun
                        ? NONE
                        : repository + "/actions/runs/" + run.run_id() + "/attempts/" + Math.max(1, run.run_attempt()));
        return values;
    }

    private static String pullRequest(RunView run) {
        if (run.pull_request() != null) {
            return run.pull_request().toString();
        }
        Matcher branch = QUEUE_BRANCH.matcher(run.head_ref());
        return branch.matches() ? branch.group(1) : NONE;
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
