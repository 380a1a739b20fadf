package dev.leasehold.simulator.report;

import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The lanes of one machine: what befell it, its calls, its beliefs, its clocks. */
final class MachineLanes {

    private static final long SECOND = 1_000_000_000;
    /** They are drawn where the message is lost. */
    private static final Set<String> DRAWN_AS_MESSAGES =
            Set.of("LOSE_REQUEST", "LOST_REQUEST", "LOSE_REPLY", "LOST_REPLY");

    private final Scene scene;
    private final int machine;

    MachineLanes(Scene scene, int machine) {
        this.scene = scene;
        this.machine = machine;
    }

    void draw(Frame frame) {
        frame.begin("m" + machine, mishaps());
        frame.rowsUnlessEmpty("calls", calls());
        frame.rowsUnlessEmpty("believes", beliefs());
        frame.row("clock", new ClockStrip(scene, machine).bars());
        shades(frame);
        frame.end();
    }

    private List<Bar> mishaps() {
        List<Bar> bars = new ArrayList<>();
        for (Event.Fault fault : scene.story().faults()) {
            if (isShown(fault) && !DRAWN_AS_MESSAGES.contains(fault.fault())) {
                bars.add(mishap(fault));
            }
        }
        for (Story.Mark mark : scene.story().marks()) {
            if (mark.machine() == machine && scene.shows(mark.atNanos(), mark.atNanos())) {
                bars.add(scene.bar(
                        Bar.Shape.POINT,
                        mark.atNanos(),
                        mark.atNanos(),
                        "mark",
                        "",
                        mark.label(),
                        "",
                        mark.text() + " at " + TimeWords.instant(mark.atNanos())));
            }
        }
        return bars;
    }

    private boolean isShown(Event.Fault fault) {
        return fault.machine() == machine && scene.shows(fault.atNanos(), fault.untilNanos());
    }

    private Bar mishap(Event.Fault fault) {
        String words = fault.fault().toLowerCase(Locale.ROOT).replace('_', ' ');
        long forNanos = fault.untilNanos() - fault.atNanos();
        String label = forNanos == 0 ? words : words + ' ' + TimeWords.brief(forNanos);
        String tip = words + " from " + TimeWords.instant(fault.atNanos())
                + (forNanos == 0 ? "" : ", " + TimeWords.exact(forNanos));
        return scene.bar(
                forNanos == 0 ? Bar.Shape.POINT : Bar.Shape.BOX,
                fault.atNanos(),
                fault.untilNanos(),
                fault.fault().contains(Faults.CRASH) ? "crash" : "mishap",
                "",
                label,
                words,
                tip);
    }

    private void shades(Frame frame) {
        Axis axis = scene.axis();
        for (Event.Fault fault : scene.story().faults()) {
            String style = style(fault.fault());
            if (isShown(fault) && !style.isEmpty()) {
                frame.shade(
                        style,
                        axis.x(fault.atNanos()),
                        axis.x(fault.untilNanos()),
                        mishap(fault).tip());
            }
        }
        for (Story.Run run : scene.story().runs()) {
            if (run.machine() == machine
                    && run.toNanos() != Long.MAX_VALUE
                    && scene.shows(run.toNanos(), run.toNanos())) {
                frame.shade(
                        "down",
                        axis.x(run.toNanos()),
                        axis.x(nextStartNanos(run)),
                        run.crashed() ? "crashed" : "closed");
            }
        }
    }

    private long nextStartNanos(Story.Run ended) {
        long nextNanos = Long.MAX_VALUE;
        for (Story.Run run : scene.story().runs()) {
            if (run.machine() == machine && run.incarnation() > ended.incarnation()) {
                nextNanos = Math.min(nextNanos, run.fromNanos());
            }
        }
        return Math.max(ended.toNanos(), nextNanos);
    }

    private static String style(String fault) {
        if (fault.equals(Faults.CUT_OFF)) {
            return "cut";
        }
        return Faults.isSleep(fault) ? "asleep" : "";
    }

    private List<Bar> calls() {
        List<Bar> bars = new ArrayList<>();
        for (Story.Call call : scene.story().calls()) {
            if (call.machine() == machine && scene.shows(call.fromNanos(), call.toNanos())) {
                bars.add(call(call));
            }
        }
        bars.sort((one, other) -> Double.compare(one.fromX(), other.fromX()));
        return bars;
    }

    private Bar call(Story.Call call) {
        Answer answer = call.answer();
        String outcome = answer == null ? "never returned" : EventWords.words(answer.kind());
        Bar bar = scene.bar(
                Bar.Shape.BOX,
                call.fromNanos(),
                endNanos(call),
                "call " + outcome.replace(' ', '-'),
                "ink",
                label(call, outcome),
                "",
                tip(call, outcome));
        return answer == null || answer.kind() == Answer.Kind.UNKNOWN ? bar.withOpenEnd() : bar;
    }

    /** What never returned ends in the drawing where its machine crashed. */
    private long endNanos(Story.Call call) {
        long endNanos = call.toNanos();
        for (Story.Run run : scene.story().runs()) {
            if (call.answer() == null
                    && run.machine() == machine
                    && run.crashed()
                    && run.toNanos() >= call.fromNanos()) {
                endNanos = Math.min(endNanos, run.toNanos());
            }
        }
        return endNanos;
    }

    private static String label(Story.Call call, String outcome) {
        Operation operation = call.operation();
        StringBuilder label = new StringBuilder(EventWords.words(operation.kind()));
        HeldTenure tenure = operation.tenure();
        if (operation.lease() != null) {
            label.append(' ').append(operation.lease());
        } else if (tenure != null) {
            label.append(' ').append(tenure.lease());
        }
        if (operation.durationNanos() != 0) {
            label.append(' ').append(TimeWords.brief(operation.durationNanos()));
        }
        label.append(": ").append(outcome);
        if (call.answer() != null && call.answer().tenure() != null) {
            label.append(" #").append(call.answer().tenure().token());
        }
        if (call.resolution() != null) {
            label.append(", then ").append(EventWords.words(call.resolution().kind()));
        }
        return label.toString();
    }

    private static String tip(Story.Call call, String outcome) {
        return "call " + call.number() + ": " + EventWords.operation(call.operation())
                + "\nbegun " + TimeWords.instant(call.fromNanos())
                + (call.answer() == null
                        ? "\n" + outcome
                        : "\nreturned " + TimeWords.instant(call.toNanos()) + ": " + EventWords.answer(call.answer()))
                + (call.resolution() == null
                        ? ""
                        : "\nfound out " + TimeWords.instant(call.resolvedNanos()) + ": "
                                + EventWords.answer(call.resolution()));
    }

    private List<Bar> beliefs() {
        List<Bar> bars = new ArrayList<>();
        for (Story.Belief belief : scene.story().beliefs()) {
            if (belief.machine() == machine && scene.shows(belief.fromNanos(), belief.toNanos())) {
                bars.add(belief(belief));
            }
        }
        bars.sort((one, other) -> Double.compare(one.fromX(), other.fromX()));
        return bars;
    }

    private Bar belief(Story.Belief belief) {
        HeldTenure tenure = belief.tenure();
        String styles = "belief " + scene.palette().fill(tenure.holder()) + (clashes(belief) ? " clash" : "");
        String tip = "m" + machine + " believes " + EventWords.tenure(tenure)
                + "\nfrom " + TimeWords.instant(belief.fromNanos()) + " to " + TimeWords.instant(belief.toNanos())
                + "\nends: " + belief.ended();
        return scene.bar(
                Bar.Shape.BOX,
                belief.fromNanos(),
                belief.toNanos(),
                styles,
                scene.palette().ink(tenure.holder()),
                tenure.lease() + ' ' + tenure.holder() + " #" + tenure.token(),
                tenure.holder() + " #" + tenure.token(),
                tip);
    }

    /** Whether it is one of those that must not be at the same time. */
    private boolean clashes(Story.Belief belief) {
        Violation violation = scene.violation();
        return violation != null
                && violation.promise() == Promise.T2
                && belief.tenure().lease().equals(violation.lease())
                && belief.fromNanos() <= violation.atNanos()
                && belief.toNanos() > violation.atNanos();
    }

    /** The two clocks of a machine. */
    private record ClockStrip(Scene scene, int machine) {

        List<Bar> bars() {
            List<Bar> bars = new ArrayList<>();
            List<Long> bounds = bounds();
            long fromNanos = bounds.get(0);
            for (int i = 1; i < bounds.size(); i++) {
                // Pieces of the same rate are one.
                if (i + 1 == bounds.size() || ppm(bounds.get(i), bounds.get(i + 1)) != ppm(fromNanos, bounds.get(i))) {
                    bars.add(piece(fromNanos, bounds.get(i)));
                    fromNanos = bounds.get(i);
                }
            }
            return bars;
        }

        private List<Long> bounds() {
            List<Long> bounds = new ArrayList<>();
            bounds.add(scene.axis().fromNanos());
            bounds.add(scene.axis().toNanos());
            for (Machine.Rate rate :
                    scene.history().plan().machines().get(machine).rates()) {
                bounds.add(rate.fromNanos());
            }
            for (Event.Fault fault : scene.story().faults()) {
                if (fault.machine() == machine) {
                    bounds.add(fault.atNanos());
                    bounds.add(fault.untilNanos());
                }
            }
            bounds.removeIf(nanos -> !scene.axis().holds(nanos));
            return bounds.stream().sorted().distinct().toList();
        }

        private MachineClock clock() {
            return scene.history().clocks().get(machine);
        }

        private long ppm(long fromNanos, long toNanos) {
            double spanNanos = toNanos - fromNanos;
            return Math.round((clock().elapsedNanos(fromNanos, toNanos) - spanNanos) / spanNanos * 1_000_000);
        }

        private Bar piece(long fromNanos, long toNanos) {
            long ppm = ppm(fromNanos, toNanos);
            boolean stopped = clock().elapsedNanos(fromNanos, toNanos) == 0 && toNanos - fromNanos > 1;
            String rate = stopped ? "stopped" : ppm == 0 ? "true rate" : (ppm > 0 ? "+" : "") + ppm + " ppm";
            String lead = TimeWords.signed(clock().elapsedNanos(0, toNanos) - toNanos);
            String tip = "clocks of m" + machine + " from " + TimeWords.instant(fromNanos) + " to "
                    + TimeWords.instant(toNanos)
                    + "\nmonotonic: " + rate + ", at the end " + lead + " of true time since the beginning"
                    + "\nwall: " + wall(fromNanos) + " to " + wall(toNanos);
            return scene.bar(
                    Bar.Shape.BOX,
                    fromNanos,
                    toNanos,
                    "rate " + style(stopped, ppm),
                    "",
                    rate + ", lead " + lead,
                    rate,
                    tip);
        }

        private static String style(boolean stopped, long ppm) {
            return stopped ? "stopped" : ppm == 0 ? "true" : ppm > 0 ? "fast" : "slow";
        }

        private String wall(long atNanos) {
            long wallNanos = clock().wallNanos(atNanos);
            return Instant.ofEpochSecond(Math.floorDiv(wallNanos, SECOND), Math.floorMod(wallNanos, SECOND))
                    .toString();
        }
    }
}
