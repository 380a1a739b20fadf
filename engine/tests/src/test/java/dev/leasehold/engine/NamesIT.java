package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.assertions.OccurrenceRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Names with every sign of ASCII, and some that look like another or like nothing, wherever they go. */
class NamesIT extends WithEngines {

    private static final List<String> SIGNS = Stream.concat(
                    IntStream.rangeClosed(' ', '~')
                            .filter(sign -> !Character.isLetterOrDigit(sign))
                            .mapToObj(Character::toString),
                    Stream.of(
                            "\u00a0",
                            "\u00ad",
                            "\u200b",
                            "\u202e",
                            "\u2028",
                            "\ufeff",
                            "\u00e4",
                            "a\u0308",
                            "\u03a9",
                            "\u05e9",
                            "\uff0e",
                            "\ud83d\udd12"))
            .toList();

    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
        engines.reports().insertOne(new BsonDocument());
    }

    /** At its begin, at its end and twice within. */
    private static String name(String sign) {
        return sign + "n" + sign + sign + "m" + sign;
    }

    private static String occurrence(String sign) {
        return sign + "2073" + sign + "03" + sign;
    }

    private RunOnceResult<Boolean> runs(TestEngine by, String sign) throws InterruptedException {
        LeaseRequest request = LeaseRequest.of(name(sign))
                .holder("h" + sign)
                .comment("c" + sign)
                .payload(sign)
                .gateStripes(1);
        return by.engine().runOnce(request, occurrence(sign), (lease, session) -> {
            by.reports().insertOne(session, new BsonDocument("sign", new BsonString(sign)));
            return true;
        });
    }

    @Test
    @DisplayName("an occurrence is done once, found, listed and forgotten under each sign, and under no other")
    void occurrencesAreToldApart() throws InterruptedException {
        for (String sign : SIGNS) {
            assertThat(runs(a, sign).ran()).as(sign).isTrue();
        }
        for (String sign : SIGNS) {
            assertThat(runs(b, sign)).as(sign).isInstanceOf(RunOnceResult.DoneBefore.class);
            OccurrenceRecord record =
                    b.engine().findOccurrence(name(sign), occurrence(sign)).orElseThrow();
            assertThat(record.tenure().name()).isEqualTo(name(sign));
            assertThat(record.tenure().holder()).isEqualTo("h" + sign);
            assertThat(record.occurrence()).isEqualTo(occurrence(sign));
            assertThat(b.engine().admin().occurrences(name(sign), 10)).containsExactly(record);
        }
        assertThat(engines.reports().countDocuments()).isEqualTo(1 + SIGNS.size());
        for (String sign : SIGNS) {
            assertThat(b.engine().admin().forgetOccurrence(name(sign), occurrence(sign), "a test"))
                    .as(sign)
                    .isPresent();
            assertThat(runs(b, sign).ran()).as(sign).isTrue();
        }
    }

    @Test
    @DisplayName(
            "a lease is held, told to observers, pinned, listed, ended and acquired again under each sign, and under"
                    + " no other")
    void leasesAreToldApart() throws InterruptedException {
        Map<String, Lease> held = new HashMap<>();
        for (String sign : SIGNS) {
            held.put(
                    sign,
                    a.acquires(LeaseRequest.of(name(sign)).holder("h" + sign).payload(sign)));
        }
        Map<String, String> leaders = new ConcurrentHashMap<>();
        for (String sign : SIGNS) {
            b.engine().observe(name(sign), state -> leaders.put(sign, describe(state)));
            b.isRefused(LeaseRequest.of(name(sign)).holder("other" + sign), Refusal.Reason.HELD);
        }
        await().untilAsserted(() -> assertThat(leaders).isEqualTo(expected("h")));
        assertThat(b.engine().leases())
                .extracting(LeaseState::name)
                .containsExactlyInAnyOrderElementsOf(
                        SIGNS.stream().map(NamesIT::name).toList());

        for (String sign : SIGNS) {
            b.engine().admin().pin(name(sign), "e" + sign);
            Objects.requireNonNull(held.get(sign)).close();
            b.isRefused(name(sign), Refusal.Reason.PINNED);
            b.engine().admin().unpin(name(sign), "e" + sign);
            a.acquires(LeaseRequest.of(name(sign)).holder("i" + sign).payload(sign));
        }
        // The clock of the observing engine stands still, so that only the stream can tell.
        await().untilAsserted(() -> assertThat(leaders).isEqualTo(expected("i")));
        for (String sign : SIGNS) {
            b.engine().admin().forceExpire(name(sign), "r" + sign);
            assertThat(b.acquires(LeaseRequest.of(name(sign)).holder("j" + sign))
                            .holder())
                    .isEqualTo("j" + sign);
        }
    }

    private static String describe(LeaseState state) {
        return state instanceof LeaseState.Held leader ? leader.tenure().holder() + " " + leader.payload() : "none";
    }

    private static Map<String, String> expected(String holder) {
        return SIGNS.stream().collect(Collectors.toMap(sign -> sign, sign -> holder + sign + " " + sign));
    }
}
