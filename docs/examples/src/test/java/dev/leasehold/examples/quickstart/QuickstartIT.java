package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

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
        quickstart = ChildJvm.run(folder, Map.of());
        story = quickstart.out().replaceAll("\\s+", " ");
    }

    @Test
    void itEndsByItselfAndWell() {
        assertThat(quickstart.exitStatus()).as(quickstart.err()).isZero();
    }

    @Test
    void oneServiceGetsTheLeaseAndTheOtherIsToldByWhomItIsHeldAndUntilWhenOnItsOwnClock() {
        String winner = find("(north|south) granted, token 1").group(1);
        MatchResult refusal = find("([0-9:.]+) (north|south) claim of lease 'orders' [^;]*; lease 'orders' is held by '" + winner
                + "' under token 1, expiring at [0-9-]+T([0-9:.]+)Z on this clock at the latest");
        assertThat(refusal.group(2)).isNotEqualTo(winner);
        assertThat(between(refusal.group(1), refusal.group(3))).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void theTokenMovesByOneWithTheTakeOver() {
        String winner = find("(north|south) granted, token 1").group(1);
        MatchResult takeOver = find("(north|south) was refused ([0-9]+) times, and then took the lease over: token 2");
        assertThat(takeOver.group(1)).isNotEqualTo(winner);
        assertThat(Integer.parseInt(takeOver.group(2))).isPositive();
        find("Token 1 has become token 2");
    }

    @Test
    void theLateOrderIsRefusedWithTheAssertionAndCommittedWithoutIt() {
        String winner = find("(north|south) granted, token 1").group(1);
        find(winner + " isHeld: true, .* " + winner + " isHeld: false");
        find(winner + " order 4 with the assertion: refused\\. Lease \"orders\" .* is not held by \"" + winner + "\"");
        find(winner + " order 4 without the assertion: committed");
        find("\\{\"_id\": 4, \"by\": \"" + winner + "\", \"token\": 1, \"gated\": false}");
    }

    @Test
    void itEndsWithTheClockDocumentAndTheLeaseDocumentAsStored() {
        Document clock = Document.parse(find("(\\{ \"_id\": \"shop\", .*}) The lease document").group(1));
        Document lease = Document.parse(find("(\\{ \"_id\": \"shop#orders\", .*}) $").group(1));

        assertThat(clock.get("writers", Document.class)).hasSize(2).containsKey(lease.getString("writer"));
        assertThat(lease.getLong("written"))
                .isEqualTo(clock.getEmbedded(List.of("writers", lease.getString("writer"), "time"), Long.class));
        assertThat(lease).containsEntry("type", "lease");
    }

    @Test
    void theLinesAreShortAndThereIsNoLogNoise() {
        assertThat(quickstart.out().lines()).allMatch(line -> line.length() <= LINE_LENGTH_MAX);
        assertThat(quickstart.err().lines()).allMatch(line -> line.startsWith("leasehold: "));
    }

    @Test
    void withoutAServerItFailsAndSaysWhy(@TempDir Path folder) throws IOException, InterruptedException {
        String missing = folder.resolve("no-mongod").toString();

        ChildJvm child = ChildJvm.run(folder, Map.of("LEASEHOLD_MONGODB_URI", "", "LEASEHOLD_MONGOD", missing));

        assertThat(child.exitStatus()).isNotZero();
        assertThat(child.err()).contains(missing);
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
