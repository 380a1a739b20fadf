package dev.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.LeaseNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTextsTest {

    private static final String LONG = "shop-singleton-pekko://shop/user/" + "x".repeat(700);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop-singleton-pekko://shop/system/singletonManagerjobs",
                "shop-shard-order-17",
                "shop-pekko-sbr",
                "shop@10.1.2.3:7355",
                "shop@[fd00::1]:7355",
                "a/b/c d",
                "größe"
            })
    void whatTheEngineAllowsStaysAsItIs(String name) {
        assertThat(LeaseTexts.name(name)).isEqualTo(name);
    }

    @Test
    void whateverPekkoMakesIsAllowedAndStaysApart() {
        String mapped = LeaseTexts.name(LONG);
        List<String> texts = List.of(
                "",
                LONG,
                LONG + "y",
                LONG.substring(0, LONG.length() - 1) + "y",
                "a\nb",
                "a_b",
                "a\tb",
                "a\u0000b",
                "\ud800",
                "\udc00",
                "\ud800\ud800",
                "ä".repeat(256),
                "ä".repeat(257),
                "ä".repeat(258),
                "😀".repeat(200),
                "😀".repeat(201),
                // What another was mapped to, taken for a name of its own.
                mapped,
                LeaseTexts.name(mapped),
                LeaseTexts.name("a\nb"));

        Set<String> names = new HashSet<>();
        for (String text : texts) {
            names.add(LeaseNames.checkName(LeaseTexts.name(text)));
        }
        assertThat(names).hasSize(texts.size());
    }

    @Test
    void aLongNameKeepsItsReadableBeginning() {
        assertThat(LeaseTexts.name(LONG))
                .startsWith("shop-singleton-pekko://shop/user/xxx")
                .hasSize(512);
    }

    @Test
    void peopleAreShownWhatANameStandsFor() {
        assertThat(LeaseTexts.comment("shop-pekko-sbr", "shop@127.0.0.1:7355")).isNull();
        assertThat(LeaseTexts.comment("a\nb", "shop@127.0.0.1:7355"))
                .isEqualTo("lease 'a_b' of owner 'shop@127.0.0.1:7355'");
        String half = "ä".repeat(300);
        assertThat(LeaseTexts.comment(half, "o")).as("its full text").isEqualTo("lease '" + half + "' of owner 'o'");
        String comment = LeaseTexts.comment("😀".repeat(900), "owner");
        assertThat(comment).isNotNull().startsWith("lease '😀😀").endsWith("…");
        assertThat(LeaseNames.checkComment(comment)).isEqualTo(comment);
    }
}
