package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NO_DRIFT;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.WriterSights.Sight;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is known of the clock of another writer, and of which of its leases it says something. */
class WriterSightsTest {

    private static final int LIMIT = 3;

    private final WriterSights sights = new WriterSights(LIMIT);

    @Test
    @DisplayName("Of the newest stamp the first sight is kept")
    void firstSightOfTheNewestStamp() {
        sights.saw(OTHER, 7, Z);
        sights.saw(OTHER, 7, Z + SECOND);
        assertThat(sights.since(OTHER, 7)).isEqualTo(new Sight(7, Z));

        sights.saw(OTHER, 8, Z + 2 * SECOND);
        assertThat(sights.since(OTHER, 7)).isEqualTo(new Sight(8, Z + 2 * SECOND));
    }

    @Test
    @DisplayName("A read that shows an older stamp, as after a restore, proves nothing of before")
    void readThatWentBackStartsAnew() {
        sights.saw(OTHER, 8, Z);
        sights.saw(OTHER, 7, Z + SECOND);
        assertThat(sights.since(OTHER, 7)).isEqualTo(new Sight(7, Z + SECOND));
        assertThat(sights.since(OTHER, 8)).isNull();

        sights.saw(OTHER, 8, Z + 2 * SECOND);
        assertThat(sights.since(OTHER, 8)).isEqualTo(new Sight(8, Z + 2 * SECOND));
    }

    @Test
    @DisplayName("A sight says something of a write that is not younger than its stamp, to the nanosecond")
    void sightIsOfWritesUpToItsStamp() {
        sights.saw(OTHER, 7, Z);

        assertThat(sights.since(OTHER, 7)).isNotNull();
        assertThat(sights.since(OTHER, 8)).isNull();
    }

    @Test
    void readsOfLeasesAndOfAllWritersCountAlike() {
        sights.sawAll(Map.of(OTHER, 7L), ME, Z);
        sights.saw(OTHER, 7, Z + SECOND);
        sights.sawAll(Map.of(OTHER, 7L), ME, Z + 2 * SECOND);

        assertThat(sights.since(OTHER, 7)).isEqualTo(new Sight(7, Z));
    }

    @Test
    void ownEntryIsNoSight() {
        sights.sawAll(Map.of(ME, 7L), ME, Z);

        assertThat(sights.since(ME, 7)).isNull();
    }

    @Test
    @DisplayName("A writer that has no entry keeps its sight, and starts anew if it has one again")
    void entryThatIsThereAgainStartsAnew() {
        sights.saw(OTHER, 7, Z);
        sights.sawNone(OTHER);
        assertThat(sights.since(OTHER, 7)).isEqualTo(new Sight(7, Z));

        sights.saw(OTHER, 7, Z + HOUR);
        assertThat(sights.since(OTHER, 7)).isEqualTo(new Sight(7, Z + HOUR));
    }

    @Test
    @DisplayName("All writers of the clock document are remembered, however many, and few of those that are gone")
    void onlyThoseThatAreGoneAreForgotten() {
        Map<String, Long> many = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            many.put("w#" + i, 7L);
        }
        sights.sawAll(many, ME, Z);
        sights.sawAll(many, ME, Z + SECOND);
        assertThat(many.keySet())
                .allSatisfy(writer -> assertThat(sights.since(writer, 7)).isEqualTo(new Sight(7, Z)));

        sights.sawAll(Map.of(), ME, Z + 2 * SECOND);
        assertThat(many.keySet().stream().filter(writer -> sights.since(writer, 7) != null))
                .hasSize(LIMIT);
    }

    @Test
    @DisplayName("What was seen before an entry was gone does not come back when the writer is forgotten")
    void formerSightDoesNotComeBack() {
        sights.saw(OTHER, 7, Z);
        sights.sawNone(OTHER);
        sights.saw(OTHER, 7, Z + SECOND);
        for (int i = 0; i < LIMIT; i++) {
            sights.saw("w" + i, 7, Z + SECOND);
        }

        assertThat(sights.since(OTHER, 7)).isNull();
    }

    @Test
    @DisplayName("A time that was not seen before is first seen at the end of the read that shows it")
    void unseenTimeIsFirstSeenNow() {
        WriterEntry.Sound entry = new WriterEntry.Sound(OTHER, 7, null, HOUR, null);
        assertThat(sights.firstSeenNanos(entry, Z)).isEqualTo(Z);

        sights.saw(OTHER, 6, Z);
        assertThat(sights.firstSeenNanos(entry, Z + SECOND)).isEqualTo(Z + SECOND);
    }

    @Test
    void theEntryOfThisEngineIsNeverStale() {
        WriterEntry.Sound mine = new WriterEntry.Sound(ME, 7, null, SECOND, null);
        sights.saw(ME, 7, Z);

        assertThat(sights.stale(List.of(mine), ME, Z + HOUR, NO_DRIFT)).isEmpty();
        assertThat(sights.stale(List.of(mine), OTHER, Z + HOUR, NO_DRIFT)).containsExactly(mine);
    }
}
