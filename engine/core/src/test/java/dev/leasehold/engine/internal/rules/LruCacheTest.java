package dev.leasehold.engine.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered where there is no room for everything. */
class LruCacheTest {

    private final LruCache<String> lruCache = new LruCache<>(2);

    @Test
    void whatWasPutLongestAgoIsForgottenFirst() {
        lruCache.put("a", "1");
        lruCache.put("b", "1");
        lruCache.put("a", "2");
        lruCache.put("c", "1");

        assertThat(lruCache.peek("a")).isEqualTo("2");
        assertThat(lruCache.peek("b")).isNull();
        assertThat(lruCache.peek("c")).isEqualTo("1");
    }

    @Test
    void whatIsUsedCountsAsPutAnewAndAGetIsNoUse() {
        lruCache.put("a", "1");
        lruCache.put("b", "1");
        assertThat(lruCache.get("a")).isEqualTo("1");
        assertThat(lruCache.peek("b")).isEqualTo("1");
        lruCache.put("c", "1");

        assertThat(lruCache.peek("a")).isEqualTo("1");
        assertThat(lruCache.peek("b")).isNull();
        assertThat(lruCache.get("b")).isNull();
    }

    @Test
    void whatIsSeenHasToFindRoom() {
        lruCache.putIfRoom("a", "1");
        lruCache.put("b", "1");
        lruCache.putIfRoom("c", "1");

        assertThat(lruCache.peek("a")).isEqualTo("1");
        assertThat(lruCache.peek("b")).isEqualTo("1");
        assertThat(lruCache.peek("c")).isNull();
    }

    @Test
    void whatIsSeenAgainIsRenewedWithoutRoom() {
        lruCache.put("a", "1");
        lruCache.putIfRoom("b", "1");
        lruCache.putIfRoom("a", "2");
        lruCache.putIfRoom("b", "2");

        assertThat(lruCache.peek("a")).isEqualTo("2");
        assertThat(lruCache.peek("b")).isEqualTo("2");
    }

    @Test
    void whatIsUsedAndSeenTakesRoomOnce() {
        lruCache.putIfRoom("a", "1");
        lruCache.put("a", "2");
        lruCache.putIfRoom("a", "3");
        lruCache.putIfRoom("b", "1");

        assertThat(lruCache.peek("a")).isEqualTo("3");
        assertThat(lruCache.peek("b")).isEqualTo("1");
    }

    @Test
    void whatWasOnlySeenGoesFirst() {
        lruCache.put("a", "1");
        lruCache.putIfRoom("b", "1");
        lruCache.put("c", "1");

        assertThat(lruCache.peek("a")).isEqualTo("1");
        assertThat(lruCache.peek("b")).isNull();
        assertThat(lruCache.peek("c")).isEqualTo("1");
    }

    @Test
    void whatIsTakenAwayIsForgottenHoweverItCame() {
        lruCache.put("a", "1");
        lruCache.putIfRoom("b", "1");
        lruCache.removeAll(List.of("a", "b"));

        assertThat(lruCache.peek("a")).isNull();
        assertThat(lruCache.peek("b")).isNull();
    }

    @Test
    void nothingIsLeftAfterAClearing() {
        lruCache.put("a", "1");
        lruCache.putIfRoom("b", "1");
        lruCache.clear();

        assertThat(lruCache.peek("a")).isNull();
        assertThat(lruCache.peek("b")).isNull();
    }
}
