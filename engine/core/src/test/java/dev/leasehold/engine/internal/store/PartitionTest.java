package dev.leasehold.engine.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionTest {

    private static final Pattern VECTOR =
            Pattern.compile("\\| `(.+)` \\| [0-9a-f]{8} \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|");

    /** Documents lie where these say: a change of any line would lose every lease of every namespace in partitions. */
    @ParameterizedTest
    @CsvSource({
        "a, 0, 3, 7, 3, 3",
        "123456789, 0, 2, 2, 6, 38",
        "nightly, 0, 2, 6, 10, 26",
        "invoices/2073-03, 0, 1, 1, 5, 37",
        "Ω, 0, 3, 5, 3, 51",
        "\uD83D\uDD12, 0, 0, 4, 0, 0"
    })
    void leaseLiesInThePartitionThatThePublishedVectorsSay(
            String name, int of1, int of4, int of10, int of16, int of64) {
        assertThat(Partition.indexOf(name, 1)).isEqualTo(of1);
        assertThat(Partition.indexOf(name, 4)).isEqualTo(of4);
        assertThat(Partition.indexOf(name, 10)).isEqualTo(of10);
        assertThat(Partition.indexOf(name, 16)).isEqualTo(of16);
        assertThat(Partition.indexOf(name, 64)).isEqualTo(of64);
    }

    @Test
    void theSpecificationPublishesTheSameVectors() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "specification.md"));
        String table = page.substring(page.indexOf("<!-- table: partitions -->"));
        List<MatchResult> rows = VECTOR.matcher(table.substring(0, table.indexOf("<!-- end of table -->")))
                .results()
                .toList();

        assertThat(rows)
                .hasSize(6)
                .allSatisfy(row -> assertThat(IntStream.of(4, 10, 16, 64)
                                .map(count -> Partition.indexOf(row.group(1), count))
                                .boxed())
                        .as(row.group(1))
                        .containsExactly(number(row, 2), number(row, 3), number(row, 4), number(row, 5)));
    }

    private static int number(MatchResult row, int group) {
        return Integer.parseInt(row.group(group));
    }

    @Test
    void leasesSpreadEvenly() {
        int[] found = new int[16];
        for (int i = 0; i < 16_000; i++) {
            found[Partition.indexOf("lease-" + i, 16)]++;
        }

        assertThat(IntStream.of(found)).allMatch(count -> count > 800 && count < 1_200);
    }

    @Test
    void partitionsOfANamespaceAreNamedAfterIt() {
        assertThat(Partition.all("billing", 3))
                .extracting(Partition::id)
                .containsExactly("billing", "billing~1", "billing~2");
        assertThat(new Partition("billing", 2, 3).idsOfAll()).containsExactly("billing", "billing~1", "billing~2");
        assertThat(Partition.whole("billing").idsOfAll()).containsExactly("billing");
    }

    @Test
    void oneThatTheNamespaceDoesNotHaveIsRefused() {
        assertRefused(0, 0);
        assertRefused(4, 4);
        assertRefused(-1, 4);
        assertRefused(0, 65);
        assertThat(new Partition("billing", 63, 64).id()).isEqualTo("billing~63");
    }

    private static void assertRefused(int index, int count) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Partition("billing", index, count))
                .withMessageContaining(index + " of " + count);
    }
}
