package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The lanes of one lease: what its document said, when what was written there expires, and from when on others were told that it
 * is over.
 */
final class LeaseLanes {

    private final Scene scene;
    private final String lease;

    LeaseLanes(Scene scene, String lease) {
        this.scene = scene;
        this.lease = lease;
    }

    void draw(Frame frame) {
        frame.begin(lease, List.of());
        frame.row("document", documents());
        frame.rowsUnlessEmpty("expiry", expiries());
        frame.rowsUnlessEmpty("safe after", safeAfter());
        frame.end();
    }

    private List<Bar> documents() {
        List<Bar> bars = new ArrayList<>();
        for (Story.Stored stored : scene.story().stored()) {
            if (stored.lease().equals(lease)
                    && stored.row() != null
                    && scene.shows(stored.fromNanos(), stored.toNanos())) {
                bars.add(document(stored, stored.row()));
            }
        }
        return bars;
    }

    private Bar document(Story.Stored stored, LeaseRow row) {
        String takenBack = stored.takenBack() ? " taken-back" : "";
        String tip = EventWords.row(row)
                + "\nfrom " + TimeWords.instant(stored.fromNanos()) + " to " + TimeWords.instant(stored.toNanos())
                + (stored.takenBack() ? "\nthen taken back by a fail-over" : "")
                + (stored.author() == null ? "" : "\nwritten by: " + EventWords.author(stored.author()));
        if (!row.sound()) {
            return bar(stored, "stored damaged" + takenBack, "", "damaged", "", tip);
        }
        String pinned = row.pins().isEmpty() ? "" : ", pinned";
        if (row.holder() == null) {
            return bar(
                    stored, "stored vacant" + takenBack, "", "vacant #" + row.token() + pinned, "#" + row.token(), tip);
        }
        String session = row.expiryNanos() == null ? ", session" : "";
        return bar(
                stored,
                "stored " + scene.palette().fill(row.holder()) + takenBack,
                scene.palette().ink(row.holder()),
                row.holder() + " #" + row.token() + session + pinned + ", by " + instance(row.writer()),
                "#" + row.token(),
                tip);
    }

    private Bar bar(Story.Stored stored, String styles, String ink, String label, String brief, String tip) {
        return scene.bar(Bar.Shape.BOX, stored.fromNanos(), stored.toNanos(), styles, ink, label, brief, tip);
    }

    private static String instance(String writer) {
        int hash = writer.lastIndexOf('#');
        return hash < 0 ? writer : writer.substring(0, hash);
    }

    private List<Bar> expiries() {
        List<Bar> bars = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        for (Story.Stored stored : scene.story().stored()) {
            LeaseRow row = stored.row();
            if (stored.lease().equals(lease)
                    && row != null
                    && row.expiryNanos() != null
                    && row.holder() != null
                    && row.sound()
                    && seen.add(row.writer() + ' ' + row.writtenNanos() + ' ' + row.token())) {
                long expiryNanos = scene.expiryNanos(row);
                if (scene.shows(stored.fromNanos(), expiryNanos)) {
                    bars.add(expiry(stored, row, expiryNanos));
                }
            }
        }
        return bars;
    }

    private Bar expiry(Story.Stored stored, LeaseRow row, long expiryNanos) {
        String clock = "on the clock of " + instance(row.writer());
        return scene.bar(
                Bar.Shape.WHISKER,
                stored.fromNanos(),
                expiryNanos,
                "expiry",
                "",
                "#" + row.token() + " expires " + TimeWords.briefInstant(expiryNanos) + ' ' + clock,
                "#" + row.token() + ' ' + TimeWords.briefInstant(expiryNanos),
                EventWords.row(row) + "\nexpires " + clock + " at " + TimeWords.instant(expiryNanos) + " of true time");
    }

    private List<Bar> safeAfter() {
        List<Bar> bars = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        for (Story.Call call : scene.story().calls()) {
            for (Answer.Shown shown : call.answer() == null
                    ? List.<Answer.Shown>of()
                    : call.answer().shown()) {
                if (shown.lease().equals(lease)
                        && shown.holder() != null
                        && scene.axis().holds(shown.safeAfterNanos())
                        && seen.add(call.machine() + " " + shown.token() + ' ' + shown.safeAfterNanos())) {
                    bars.add(safeAfter(call, shown));
                }
            }
        }
        bars.sort((one, other) -> Double.compare(one.fromX(), other.fromX()));
        return bars;
    }

    private Bar safeAfter(Story.Call call, Answer.Shown shown) {
        return scene.bar(
                Bar.Shape.POINT,
                shown.safeAfterNanos(),
                shown.safeAfterNanos(),
                "safe-after",
                "",
                "m" + call.machine() + ": #" + shown.token() + " is over",
                "",
                "m" + call.machine() + " was told at " + TimeWords.instant(call.toNanos()) + ": "
                        + EventWords.shown(shown));
    }
}
