package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.story.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Runs the quickstart once, and looks at what it printed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuickstartIT {

    private static final int LINE_LENGTH_MAX = 100;

    private ChildJvm quickstart = new ChildJvm(-1, "", "");
    private String story = "";

    @BeforeAll
    void run(@TempDir Path folder) throws IOException, InterruptedException {
        quickstart = ChildJvm.run(Quickstart.class, folder, Map.of());
        story = quickstart.out().replaceAll("\\s+", " ");
    }

    @Test
    void itEndsByItselfAndWell() {
        assertThat(quickstart.exitStatus()).as(quickstart.err()).isZero();
    }

    @Test
    void oneServiceGetsTheLeaseAndTheOtherIsToldByWhichItIsHeldAndUntilWhenOnItsOwnClock() {
        MatchResult refusal =
                find("([0-9:.]+) south acquisition of lease 'orders' [^;]*; lease 'orders' is held by 'north'"
                        + " under token " + token(1) + ", expiring at [0-9-]+T([0-9:.]+)Z on this clock at the latest");
        assertThat(between(refusal.group(1), refusal.group(2))).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void theWaiterGetsTheLeaseThatIsGivenUp() {
        find("north order 1 committed under token " + token(1) + " [0-9:.]+ south has it after 49 hand-overs: token "
                + token(50));
    }

    @Test
    void theTokenMovesByOneWhenTheLeaseOfTheFrozenServiceIsTaken() {
        find("north acquired [0-9.]+s after it asked: token " + token(51)
                + " [0-9:.]+ north order 101 committed under token " + token(51));
        find("Token " + token(50) + " has become token " + token(51));
    }

    @Test
    void theLateOrderIsRefusedWithTheAssertionAndCommittedWithoutIt() {
        find("south isHeld: true, .* south isHeld: false. Lost: ");
        find("south order 3 with the assertion: refused\\. Lease 'orders' .* is not held by 'south'");
        find("south order 3 without the assertion: committed");
        find("\\{\"_id\": 3, \"by\": \"south\", \"token\": " + token(50) + ", \"gated\": false}");
    }

    @Test
    void itEndsWithTheClockDocumentAndTheLeaseDocumentAsStored() {
        Document clock = Document.parse(
                find("(\\{ \"_id\": \"shop\", .*}) The lease document").group(1));
        Document lease =
                Document.parse(find("(\\{ \"_id\": \"shop#orders\", .*}) $").group(1));

        Document writer = clock.getEmbedded(List.of("writers", lease.getString("writer")), Document.class);
        assertThat(writer.getLong("time")).isGreaterThanOrEqualTo(lease.getLong("written"));
        assertThat(writer).containsKey("session");
        assertThat(lease)
                .containsEntry("type", "lease")
                .containsEntry("holder", "north")
                .doesNotContainKey("expiry");
    }

    @Test
    void theLinesAreShortAndThereIsNoLogNoise() {
        assertThat(quickstart.out().lines()).allMatch(line -> line.length() <= LINE_LENGTH_MAX);
        assertThat(quickstart.err().lines()).allMatch(line -> line.startsWith("leasehold: "));
    }

    @Test
    void withoutAServerItFailsAndSaysWhy(@TempDir Path folder) throws IOException, InterruptedException {
        String missing = folder.resolve("no-mongod").toString();

        ChildJvm child = ChildJvm.run(
                Quickstart.class, folder, Map.of("LEASEHOLD_MONGODB_URI", "", "LEASEHOLD_MONGOD", missing));

        assertThat(child.exitStatus()).isNotZero();
        assertThat(child.err()).contains(missing);
    }

    /** The one of the tenure with that number: a new namespace does not begin with 1. */
    private long token(int number) {
        return Long.parseLong(find("north acquired, token ([0-9]+)").group(1)) + number - 1;
    }

    /** The way from one time of day to the next, over midnight too. The two clocks are further apart than a minute. */
    private static Duration between(String from, String to) {
        Duration sameDay = Duration.between(LocalTime.parse(from), LocalTime.parse(to));
        return sameDay.isNegative() ? sameDay.plusDays(1) : sameDay;
    }

    private MatchResult find(String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(story);
        assertThat(matcher.find()).as("%s in %s", regex, story).isTrue();
        return matcher.toMatchResult();
    }
}
