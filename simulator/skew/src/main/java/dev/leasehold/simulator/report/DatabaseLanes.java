package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lanes of the database: what befell it, the writes of the clock document, the other writes. */
final class DatabaseLanes {

    private final Scene scene;

    DatabaseLanes(Scene scene) {
        this.scene = scene;
    }

    void draw(Frame frame) {
        frame.begin("database", mishaps());
        frame.rows("clock doc.", commits(true));
        frame.rowsUnlessEmpty("others", commits(false));
        for (Event.Fault fault : scene.story().faults()) {
            if (fault.machine() < 0 && isShaded(fault.fault()) && scene.shows(fault.atNanos(), fault.untilNanos())) {
                frame.shade(
                        fault.fault().equals(Faults.LAG) ? "cut" : "asleep",
                        scene.axis().x(fault.atNanos()),
                        scene.axis().x(fault.untilNanos()),
                        tip(fault));
            }
        }
        frame.end();
    }

    private static boolean isShaded(String fault) {
        return fault.equals(Faults.FAIL_OVER) || fault.equals(Faults.LAG);
    }

    private List<Bar> mishaps() {
        List<Bar> bars = new ArrayList<>();
        for (Event.Fault fault : scene.story().faults()) {
            if (fault.machine() < 0 && scene.shows(fault.atNanos(), fault.untilNanos())) {
                boolean lasts = fault.untilNanos() > fault.atNanos();
                bars.add(scene.bar(
                        lasts ? Bar.Shape.BOX : Bar.Shape.POINT,
                        fault.atNanos(),
                        fault.untilNanos(),
                        "mishap",
                        "",
                        words(fault),
                        "",
                        tip(fault)));
            }
        }
        return bars;
    }

    private static String words(Event.Fault fault) {
        return fault.fault().equals(Faults.FAIL_OVER)
                ? "no primary"
                : fault.fault().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String tip(Event.Fault fault) {
        long forNanos = fault.untilNanos() - fault.atNanos();
        return words(fault) + " from " + TimeWords.instant(fault.atNanos())
                + (forNanos == 0 ? "" : ", " + TimeWords.exact(forNanos));
    }

    private List<Bar> commits(boolean ofClock) {
        List<Bar> bars = new ArrayList<>();
        for (Story.Commit commit : scene.story().commits()) {
            long endNanos = Math.min(commit.majorityNanos(), commit.takenBackNanos());
            if (changesClock(commit) == ofClock && scene.shows(commit.atNanos(), endNanos)) {
                bars.add(commit(commit, endNanos));
            }
        }
        return bars;
    }

    private static boolean changesClock(Story.Commit commit) {
        for (Change change : commit.changes()) {
            if (change instanceof Change.OfClock) {
                return true;
            }
        }
        return false;
    }

    private Bar commit(Story.Commit commit, long endNanos) {
        String fate = commit.isTakenBack()
                ? "taken back by a fail-over " + TimeWords.instant(commit.takenBackNanos())
                : "with a majority: " + TimeWords.instant(commit.majorityNanos());
        String tip = "version " + commit.version() + ", " + EventWords.author(commit.author()) + "\ncommitted "
                + TimeWords.instant(commit.atNanos()) + '\n' + fate + '\n' + EventWords.changes(commit.changes());
        return scene.bar(
                Bar.Shape.WHISKER,
                commit.atNanos(),
                endNanos,
                commit.isTakenBack() ? "commit gone" : "commit",
                "",
                label(commit),
                "",
                tip);
    }

    private static String label(Story.Commit commit) {
        Author author = commit.author();
        String who = author.machine() < 0 ? "by hand" : "m" + author.machine();
        return commit.isTakenBack() ? who + " taken back" : who;
    }
}
