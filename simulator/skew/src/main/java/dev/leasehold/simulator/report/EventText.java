package dev.leasehold.simulator.report;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.plan.History;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A history as text, an event a line: true time, the machine's own clock, a column for each machine and one for the database, and what
 * happened in words. The same history gives the same text on every JVM.
 */
public final class EventText {

    private static final int TIME_WIDTH = 16;
    private static final int COLUMN_WIDTH = 6;

    private static final String LEGEND = """
            true time   seconds since the beginning; nobody in the history can read it
            own time    how far the monotonic clock of the event's machine has run since the beginning; - for the database
            m0 ...      a column for each machine;  db  the database
              >3        call 3 begins                   <3   call 3 returns                 =3   what became of call 3 is found out
              s12 r12   message 12 is sent, received    g12  it is given up by its sender   x12  it is lost
              B D L     belief begins or is renewed; doubt: it is over; the handle reports the loss
              A         a handle that was over says again that it holds
              ?         what is said of being held and of the time that is left contradict each other
              + - X     the engine is ready, was closed, crashed
              !         a fault                         *    a state was reached that is worth counting
              C7        version 7 is committed          M7   a majority has version 7       R7   all after version 7 is taken back
              e12 a12   message 12 is carried out, answered
              H E .     healed; the end of a history that broke a limit; its regular end
              |         a call is under way             :    no engine is running

            """;

    private final History history;
    private final StringBuilder text = new StringBuilder();
    private final Map<Integer, Integer> machineOfCall = new HashMap<>();
    private final int[] openCalls;
    private final boolean[] running;

    private EventText(History history) {
        this.history = history;
        this.openCalls = new int[history.clocks().size()];
        this.running = new boolean[history.clocks().size()];
    }

    /** The whole history, the legend first. */
    public static String of(History history) {
        EventText text = new EventText(history);
        text.text.append(LEGEND);
        text.header();
        text.lines(0, history.events().size());
        return text.text.toString();
    }

    /** Only the events from one index to before another, without the legend. */
    static String of(History history, int from, int to) {
        EventText text = new EventText(history);
        text.header();
        for (int i = 0; i < from; i++) {
            text.follow(history.events().get(i));
        }
        text.lines(from, to);
        return text.text.toString();
    }

    private void header() {
        pad(text, "true time", TIME_WIDTH, true);
        pad(text, "own time", TIME_WIDTH, true);
        text.append("  ");
        for (int i = 0; i < openCalls.length; i++) {
            pad(text, "m" + i, COLUMN_WIDTH, false);
        }
        text.append("db\n");
    }

    private void lines(int from, int to) {
        List<Event> events = history.events();
        for (int i = from; i < to; i++) {
            Event event = events.get(i);
            follow(event);
            line(event);
        }
    }

    private void line(Event event) {
        int column = column(event);
        pad(text, TimeWords.seconds(event.atNanos()), TIME_WIDTH, true);
        pad(text, ownTime(column, event.atNanos()), TIME_WIDTH, true);
        text.append("  ");
        String code = code(event);
        for (int i = 0; i < openCalls.length; i++) {
            pad(text, i == column ? code : openCalls[i] > 0 ? "|" : running[i] ? "" : ":", COLUMN_WIDTH, false);
        }
        pad(text, column < 0 ? code : "", COLUMN_WIDTH, false);
        text.append(EventWords.event(event)).append('\n');
    }

    private String ownTime(int machine, long atNanos) {
        if (machine < 0) {
            return "-";
        }
        MachineClock clock = history.clocks().get(machine);
        return TimeWords.seconds(clock.elapsedNanos(0, atNanos));
    }

    private void follow(Event event) {
        if (event instanceof Event.Called it) {
            machineOfCall.put(it.call(), it.machine());
            openCalls[it.machine()]++;
        } else if (event instanceof Event.Answered it) {
            openCalls[Objects.requireNonNull(machineOfCall.get(it.call()))]--;
        } else if (event instanceof Event.Started it) {
            running[it.machine()] = true;
        } else if (event instanceof Event.Stopped it) {
            running[it.machine()] = false;
            if (it.crashed()) {
                openCalls[it.machine()] = 0;
            }
        }
    }

    /** -1 for the database, and for what befalls everything. */
    private int column(Event event) {
        if (event instanceof Event.Answered it) {
            return Objects.requireNonNull(machineOfCall.get(it.call()));
        }
        if (event instanceof Event.Resolved it) {
            return Objects.requireNonNull(machineOfCall.get(it.call()));
        }
        if (event instanceof Event.Message it) {
            return it.leg() == Event.Leg.EXECUTED || it.leg() == Event.Leg.ANSWERED ? -1 : it.machine();
        }
        return event.machine();
    }

    private static String code(Event event) {
        if (event instanceof Event.Called it) {
            return ">" + it.call();
        }
        if (event instanceof Event.Answered it) {
            return "<" + it.call();
        }
        if (event instanceof Event.Resolved it) {
            return "=" + it.call();
        }
        if (event instanceof Event.Message it) {
            return leg(it.leg()) + it.message();
        }
        if (event instanceof Event.Committed it) {
            return "C" + it.version();
        }
        if (event instanceof Event.Majority it) {
            return "M" + it.version();
        }
        if (event instanceof Event.RolledBack it) {
            return "R" + it.toVersion();
        }
        if (event instanceof Event.Stopped it) {
            return it.crashed() ? "X" : "-";
        }
        return letter(event);
    }

    private static String leg(Event.Leg leg) {
        switch (leg) {
            case SENT:
                return "s";
            case EXECUTED:
                return "e";
            case ANSWERED:
                return "a";
            case RECEIVED:
                return "r";
            case GIVEN_UP:
                return "g";
            default:
                return "x";
        }
    }

    private static String letter(Event event) {
        if (event instanceof Event.Believed) {
            return "B";
        }
        if (event instanceof Event.Doubted) {
            return "D";
        }
        if (event instanceof Event.Lost) {
            return "L";
        }
        if (event instanceof Event.Revived) {
            return "A";
        }
        if (event instanceof Event.Disagreed) {
            return "?";
        }
        if (event instanceof Event.Started) {
            return "+";
        }
        if (event instanceof Event.Reached) {
            return "*";
        }
        if (event instanceof Event.Healed) {
            return "H";
        }
        if (event instanceof Event.Exceeded) {
            return "E";
        }
        return event instanceof Event.Finished ? "." : "!";
    }

    private static void pad(StringBuilder text, String cell, int width, boolean right) {
        int spaces = Math.max(right ? 0 : 1, width - cell.length());
        if (!right) {
            text.append(cell);
        }
        for (int i = 0; i < spaces; i++) {
            text.append(' ');
        }
        if (right) {
            text.append(cell);
        }
    }
}
