package dev.leasehold.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.operator.serve.Selection.Show;
import dev.leasehold.operator.serve.Selection.Sort;
import dev.leasehold.operator.view.LeaseRow;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which leases a page shows, and in which order. */
class SelectionTest {

    private static LeaseRow row(String name, String status, String holder, Boolean verified, List<String> pins) {
        boolean isHeld = holder != null;
        return new LeaseRow(
                name,
                status,
                holder,
                status.equals("corrupt") ? null : 7L,
                isHeld ? "2073-03-03T12:00:00Z" : null,
                isHeld ? "session" : null,
                isHeld ? "2073-03-03T12:01:00.5Z" : null,
                null,
                null,
                pins,
                "shop:1#a",
                0,
                0,
                List.of(),
                "billing",
                verified,
                status.equals("corrupt") ? "field 'token': is missing" : null);
    }

    private static final LeaseRow ACTIVE = row("a", "active", "h1", true, List.of());
    private static final LeaseRow UNVERIFIED = row("b", "active", "h2", false, List.of());
    private static final LeaseRow FREE = row("c", "free", null, null, List.of());
    private static final LeaseRow PINNED = row("d", "free", null, null, List.of("ops"));
    private static final LeaseRow EXPIRED = row("e", "expired", "h3", false, List.of());
    private static final LeaseRow CORRUPT = row("f", "corrupt", null, null, List.of());
    private static final List<LeaseRow> ALL = List.of(ACTIVE, UNVERIFIED, FREE, PINNED, EXPIRED, CORRUPT);

    private static Selection selection(String... query) {
        return Selection.of(
                "billing",
                IntStream.range(0, query.length / 2)
                        .boxed()
                        .collect(Collectors.toMap(i -> query[2 * i], i -> query[2 * i + 1])));
    }

    @Test
    @DisplayName("What needs an operator comes first, unless the reader sorts")
    void troubleComesFirst() {
        assertThat(selection().of(ALL)).containsExactly(CORRUPT, EXPIRED, PINNED, UNVERIFIED, ACTIVE, FREE);
        assertThat(selection("sort", "name", "order", "down").of(ALL)).first().isEqualTo(CORRUPT);
        assertThat(selection("sort", "holder").of(ALL)).startsWith(ACTIVE, UNVERIFIED, EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"holder", "token", "since", "until"})
    void whatIsNotKnownComesLastTheOtherWayRoundToo(String sort) {
        assertThat(selection("sort", sort).of(ALL)).last().isEqualTo(CORRUPT);
        assertThat(selection("sort", sort, "order", "down").of(ALL)).last().isEqualTo(CORRUPT);
    }

    @Test
    void eachFilterShowsItsOwn() {
        assertThat(selection("show", "held").of(ALL)).containsExactlyInAnyOrder(ACTIVE, UNVERIFIED, EXPIRED);
        assertThat(selection("show", "unverified").of(ALL)).containsExactly(UNVERIFIED);
        assertThat(selection("show", "expired").of(ALL)).containsExactly(EXPIRED);
        assertThat(selection("show", "blocked").of(ALL)).containsExactly(PINNED);
        assertThat(selection("show", "corrupt").of(ALL)).containsExactly(CORRUPT);
        assertThat(selection("show", "free").of(ALL)).containsExactly(PINNED, FREE);
        assertThat(selection("q", "OPS").of(ALL)).containsExactly(PINNED);
        assertThat(selection("q", "shop:1").of(ALL)).hasSize(6);
        assertThat(Show.HELD.count(ALL)).isEqualTo(3);
    }

    @Test
    @DisplayName("Of 5,000 leases a page has a hundred, and the last page the rest")
    void pages() {
        List<LeaseRow> many = IntStream.range(0, 4_950)
                .mapToObj(i -> row(String.format(Locale.ROOT, "lease-%04d", i), "free", null, null, List.of()))
                .toList();

        assertThat(selection().onPage(selection().of(many))).hasSize(100);
        assertThat(selection("page", "50").onPage(many)).hasSize(50).last().isEqualTo(many.get(4_949));
        assertThat(selection("page", "99").pageOf(many.size())).isEqualTo(50);
        assertThat(selection().onPage(List.of())).isEmpty();
    }

    @Test
    @DisplayName("An address gives the same selection again, and what is wrong in it is left out")
    void theAddressIsTheSelection() {
        Selection selection = new Selection("billing", "a b&c", Show.EXPIRED, Sort.UNTIL, true, 3);

        assertThat(selection.link()).isEqualTo("/?ns=billing&q=a+b%26c&show=expired&sort=until&order=down&page=3");
        assertThat(selection("q", "a b&c", "show", "expired", "sort", "until", "order", "down", "page", "3"))
                .isEqualTo(selection);
        assertThat(selection("show", "dancing", "sort", "", "page", "-4")).isEqualTo(selection());
        assertThat(selection.sortedBy(Sort.NAME))
                .isEqualTo(new Selection("billing", "a b&c", Show.EXPIRED, Sort.NAME, false, 1));
        assertThat(selection().sortedBy(Sort.NAME).sortedBy(Sort.NAME).reverse())
                .isTrue();
    }
}
