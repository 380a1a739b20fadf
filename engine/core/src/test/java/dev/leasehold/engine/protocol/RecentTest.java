package dev.leasehold.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered where there is no room for everything. */
class RecentTest {

    private final Recent<String> recent = new Recent<>(2);

    @Test
    void whatWasPutLongestAgoIsForgottenFirst() {
        recent.put("a", "1");
        recent.put("b", "1");
        recent.put("a", "2");
        recent.put("c", "1");

        assertThat(recent.look("a")).isEqualTo("2");
        assertThat(recent.look("b")).isNull();
        assertThat(recent.look("c")).isEqualTo("1");
    }

    @Test
    void whatIsUsedCountsAsPutAnewAndALookIsNoUse() {
        recent.put("a", "1");
        recent.put("b", "1");
        assertThat(recent.use("a")).isEqualTo("1");
        assertThat(recent.look("b")).isEqualTo("1");
        recent.put("c", "1");

        assertThat(recent.look("a")).isEqualTo("1");
        assertThat(recent.look("b")).isNull();
        assertThat(recent.use("b")).isNull();
    }

    @Test
    void whatIsSeenHasToFindRoom() {
        recent.putIfRoom("a", "1");
        recent.put("b", "1");
        recent.putIfRoom("c", "1");

        assertThat(recent.look("a")).isEqualTo("1");
        assertThat(recent.look("b")).isEqualTo("1");
        assertThat(recent.look("c")).isNull();
    }

    @Test
    void whatIsSeenAgainIsRenewedWithoutRoom() {
        recent.put("a", "1");
        recent.putIfRoom("b", "1");
        recent.putIfRoom("a", "2");
        recent.putIfRoom("b", "2");

        assertThat(recent.look("a")).isEqualTo("2");
        assertThat(recent.look("b")).isEqualTo("2");
    }

    @Test
    void whatIsUsedAndSeenTakesRoomOnce() {
        recent.putIfRoom("a", "1");
        recent.put("a", "2");
        recent.putIfRoom("a", "3");
        recent.putIfRoom("b", "1");

        assertThat(recent.look("a")).isEqualTo("3");
        assertThat(recent.look("b")).isEqualTo("1");
    }

    @Test
    void whatWasOnlySeenGoesFirst() {
        recent.put("a", "1");
        recent.putIfRoom("b", "1");
        recent.put("c", "1");

        assertThat(recent.look("a")).isEqualTo("1");
        assertThat(recent.look("b")).isNull();
        assertThat(recent.look("c")).isEqualTo("1");
    }

    @Test
    void whatIsTakenAwayIsForgottenHoweverItCame() {
        recent.put("a", "1");
        recent.putIfRoom("b", "1");
        recent.removeAll(List.of("a", "b"));

        assertThat(recent.look("a")).isNull();
        assertThat(recent.look("b")).isNull();
    }

    @Test
    void nothingIsLeftAfterAClearing() {
        recent.put("a", "1");
        recent.putIfRoom("b", "1");
        recent.clear();

        assertThat(recent.look("a")).isNull();
        assertThat(recent.look("b")).isNull();
    }
}
