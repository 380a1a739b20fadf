package dev.leasehold.operator.serve;

import dev.leasehold.operator.view.LeaseRow;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which leases are shown, in which order. It stands in the address of the page, so that it can be kept and sent to others.
 *
 * @param namespace of the leases
 * @param text what the name, the holder, the engine, the comment or a pin contains
 * @param show how the leases stand
 * @param sort by what they are sorted
 * @param reverse whether the other way round
 * @param page which part of them, from 1
 */
record Selection(String namespace, String text, Show show, Sort sort, boolean reverse, int page) {

    static final int PAGE_SIZE = 100;

    /** How leases stand. */
    enum Show {
        ALL("all", lease -> true),
        HELD("held", LeaseRow::isHeld),
        UNVERIFIED("unverified", lease -> lease.shownStatus().equals(LeaseRow.UNVERIFIED)),
        EXPIRED("expired", lease -> lease.status().equals("expired")),
        BLOCKED("blocked", LeaseRow::isBlocked),
        CORRUPT("corrupt", lease -> lease.status().equals("corrupt")),
        FREE("free", lease -> lease.status().equals("free"));

        private final String word;
        private final Predicate<LeaseRow> fits;

        Show(String word, Predicate<LeaseRow> fits) {
            this.word = word;
            this.fits = fits;
        }

        String word() {
            return word;
        }

        long count(List<LeaseRow> leases) {
            return leases.stream().filter(fits).count();
        }
    }

    /** By what leases are sorted. What is not known comes last, the other way round as well. */
    enum Sort {
        TROUBLE(Selection::rank),
        NAME(LeaseRow::name),
        HOLDER(LeaseRow::holder),
        TOKEN(LeaseRow::token),
        SINCE(lease -> lease.isHeld() ? instant(lease.since()) : null),
        UNTIL(lease -> instant(lease.latestExpiry()));

        private final Comparator<LeaseRow> up;
        private final Comparator<LeaseRow> down;

        <T extends Comparable<T>> Sort(Function<LeaseRow, @Nullable T> value) {
            this.up = LeaseRow.order(value, false);
            this.down = LeaseRow.order(value, true);
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static @Nullable Instant instant(@Nullable String text) {
            return text == null ? null : Instant.parse(text);
        }
    }

    /** The smaller, the sooner it should be looked at. */
    private static int rank(LeaseRow lease) {
        if (lease.status().equals("corrupt")) {
            return 0;
        }
        if (lease.status().equals("expired")) {
            return 1;
        }
        if (lease.isBlocked()) {
            return 2;
        }
        return !lease.isHeld() ? 5 : Boolean.TRUE.equals(lease.verified()) ? 4 : 3;
    }

    /** As the address says it; what it says wrongly is left out. */
    static Selection of(String namespace, Map<String, String> query) {
        return new Selection(
                namespace,
                query.getOrDefault("q", "").strip(),
                constant(Show.values(), query.get("show"), Show.ALL),
                constant(Sort.values(), query.get("sort"), Sort.TROUBLE),
                "down".equals(query.get("order")),
                page(query.get("page")));
    }

    private static <E extends Enum<E>> E constant(E[] values, @Nullable String text, E otherwise) {
        for (E value : values) {
            if (value.name().equalsIgnoreCase(text)) {
                return value;
            }
        }
        return otherwise;
    }

    private static int page(@Nullable String text) {
        try {
            return text == null ? 1 : Math.max(1, Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    /** All that fit, in order. */
    List<LeaseRow> of(List<LeaseRow> leases) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return leases.stream()
                .filter(show.fits)
                .filter(lease -> wanted.isEmpty() || contains(lease, wanted))
                .sorted(reverse ? sort.down : sort.up)
                .toList();
    }

    private static boolean contains(LeaseRow lease, String wanted) {
        return has(lease.name(), wanted)
                || has(lease.holder(), wanted)
                || has(lease.writer(), wanted)
                || has(lease.comment(), wanted)
                || lease.pins().stream().anyMatch(pin -> has(pin, wanted));
    }

    private static boolean has(@Nullable String text, String wanted) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(wanted);
    }

    /** Of all that fit. */
    static int pages(int fitting) {
        return Math.max(1, (fitting + PAGE_SIZE - 1) / PAGE_SIZE);
    }

    /** Those of this page; of the last one where there are fewer. */
    List<LeaseRow> onPage(List<LeaseRow> fitting) {
        int from = (pageOf(fitting.size()) - 1) * PAGE_SIZE;
        return fitting.subList(from, Math.min(fitting.size(), from + PAGE_SIZE));
    }

    int pageOf(int fitting) {
        return Math.min(page, pages(fitting));
    }

    Selection showing(Show other) {
        return new Selection(namespace, text, other, sort, reverse, 1);
    }

    Selection onPage(int other) {
        return new Selection(namespace, text, show, sort, reverse, other);
    }

    /** By this column; the other way round if that is so already. */
    Selection sortedBy(Sort column) {
        return new Selection(namespace, text, show, column, column == sort && !reverse, 1);
    }

    /** The address of the page with it. */
    String link() {
        StringBuilder link = new StringBuilder("/?ns=").append(encoded(namespace));
        if (!text.isEmpty()) {
            link.append("&q=").append(encoded(text));
        }
        if (show != Show.ALL) {
            link.append("&show=").append(show.word());
        }
        if (sort != Sort.TROUBLE || reverse) {
            link.append("&sort=").append(sort.word());
        }
        if (reverse) {
            link.append("&order=down");
        }
        if (page > 1) {
            link.append("&page=").append(page);
        }
        return link.toString();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
