package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns the events of a history into bars: lanes for each machine, each lease and the database. */
final class TimelineLanes {

    private static final int COLOURS = 6;
    private static final String DATABASE = "database";
    private static final String COMMITS = "database commits";

    /** Whose validity it is. */
    private record Validity(int machine, int incarnation, HeldTenure tenure) {}

    private final History history;
    private final StampClock stamps;
    private final Map<String, List<TimelineBar>> lanes = new LinkedHashMap<>();
    private final Map<String, String> colours = new LinkedHashMap<>();
    // Bars that are not over yet.
    private final Map<Integer, TimelineBar> calls = new LinkedHashMap<>();
    private final Map<Integer, String> laneOfCall = new HashMap<>();
    private final Map<Validity, TimelineBar> validities = new LinkedHashMap<>();
    private final Map<Integer, TimelineBar> downs = new LinkedHashMap<>();
    private final TreeMap<Long, TimelineBar> commits = new TreeMap<>();
    /** What each lease document said, by version: a fail-over may bring an older one back. */
    private final Map<String, TreeMap<Long, TimelineBar>> documents = new TreeMap<>();

    TimelineLanes(History history) {
        this.history = history;
        this.stamps = new StampClock(history);
        for (int machine = 0; machine < history.clocks().size(); machine++) {
            for (String lane : List.of("", " calls", " validity")) {
                lanes.put("m" + machine + lane, new ArrayList<>());
            }
            lanes.put("m" + machine + " clock", ClockLane.of(history, machine));
        }
        for (int lease = 0; lease < history.plan().setting().leases(); lease++) {
            lanes.put("lease-" + lease, new ArrayList<>());
            lanes.put("lease-" + lease + " expiry", new ArrayList<>());
        }
        lanes.put(DATABASE, new ArrayList<>());
        lanes.put(COMMITS, new ArrayList<>());
        Handlers<Event> handlers = new Handlers<Event>()
                .on(Event.Called.class, this::called)
                .on(Event.Answered.class, this::answered)
                .on(Event.Resolved.class, this::resolved)
                .on(Event.ValidUntil.class, this::validUntil)
                .on(
                        Event.ValidityEnded.class,
                        it -> endValidity(new Validity(it.machine(), it.incarnation(), it.tenure()), it.atNanos()))
                .on(Event.Started.class, this::started)
                .on(Event.Stopped.class, this::stopped)
                .on(Event.Fault.class, this::fault)
                .on(Event.Lost.class, this::mark)
                .on(Event.Revived.class, this::mark)
                .on(Event.Disagreed.class, this::mark)
                .on(Event.Broken.class, this::mark)
                .on(Event.Message.class, this::message)
                .on(Event.Committed.class, this::committed)
                .on(Event.Majority.class, it -> endCommits(commits.headMap(it.version(), true), it.atNanos(), ""))
                .on(Event.RolledBack.class, this::rolledBack);
        history.events().forEach(handlers::handle);
        calls.forEach((call, bar) -> add(Objects.requireNonNull(laneOfCall.get(call)), bar));
        validities.forEach((validity, bar) -> add(validityLane(validity), bar));
        downs.forEach((machine, bar) -> add("m" + machine, bar));
        documents.forEach((lease, states) -> add(lease, states.lastEntry().getValue()));
        commits.values().forEach(bar -> add(COMMITS, bar));
    }

    /** From top to bottom. */
    Map<String, List<TimelineBar>> lanes() {
        return lanes;
    }

    /** The class names of holders in the style sheet. */
    Map<String, String> colours() {
        return colours;
    }

    private void add(String lane, TimelineBar bar) {
        lanes.computeIfAbsent(lane, name -> new ArrayList<>()).add(bar);
    }

    private String colour(String holder) {
        return colours.computeIfAbsent(holder, name -> "h" + colours.size() % COLOURS);
    }

    // ---- calls ----

    private void called(Event.Called it) {
        Operation operation = it.operation();
        String about = operation.tenure() != null
                ? operation.tenure().lease()
                : operation.lease() == null ? "" : operation.lease();
        String label = RecordText.words(operation.kind())
                + ' '
                + about
                + (operation.durationNanos() == 0 ? "" : ' ' + TimeText.brief(operation.durationNanos()));
        laneOfCall.put(it.call(), "m" + it.machine() + " calls");
        calls.put(it.call(), TimelineBar.from(it.atNanos(), "call", label, RecordText.of(it)));
    }

    private void answered(Event.Answered it) {
        TimelineBar bar = calls.remove(it.call());
        if (bar != null) {
            HeldTenure granted = it.answer().tenure();
            String kind = RecordText.words(it.answer().kind());
            add(
                    laneOfCall.getOrDefault(it.call(), ""),
                    bar.until(it.atNanos())
                            .with(
                                    kind,
                                    ": " + kind + (granted == null ? "" : " #" + granted.token()),
                                    RecordText.components(it.answer())));
            it.answer().shown().forEach(shown -> shown(it, shown));
        }
    }

    /** From when on the caller was told that it may take the lease. */
    private void shown(Event.Answered it, Answer.Shown shown) {
        if (shown.holder() != null && shown.safeAfterNanos() != Long.MAX_VALUE) {
            String machine = laneOfCall.getOrDefault(it.call(), "").replace(" calls", "");
            String label = machine + " may take #" + shown.token();
            TimelineBar bar = TimelineBar.at(
                    shown.safeAfterNanos(), "mark", label, "told in call " + it.call() + ": " + RecordText.of(shown));
            List<TimelineBar> lane = lanes.computeIfAbsent(shown.lease() + " expiry", name -> new ArrayList<>());
            if (lane.stream().noneMatch(other -> other.label().equals(label) && other.fromNanos() == bar.fromNanos())) {
                lane.add(bar);
            }
        }
    }

    private void resolved(Event.Resolved it) {
        String label = "resolved: " + RecordText.words(it.answer().kind());
        add(laneOfCall.getOrDefault(it.call(), ""), TimelineBar.at(it.atNanos(), "mark", label, RecordText.of(it)));
    }

    // ---- validity ----

    private static String validityLane(Validity validity) {
        return "m" + validity.machine() + " validity";
    }

    /** One that is renewed before it was over goes on. */
    private void validUntil(Event.ValidUntil it) {
        Validity validity = new Validity(it.machine(), it.incarnation(), it.tenure());
        TimelineBar before = validities.get(validity);
        long fromNanos = before != null && before.toNanos() >= it.atNanos() ? before.fromNanos() : it.atNanos();
        if (before != null && fromNanos == it.atNanos()) {
            add(validityLane(validity), before);
        }
        HeldTenure tenure = it.tenure();
        String label = tenure.lease() + ' ' + tenure.holder() + " #" + tenure.token();
        validities.put(
                validity,
                TimelineBar.from(fromNanos, colour(tenure.holder()), label, "valid: " + label)
                        .until(it.untilNanos()));
    }

    private void endValidity(Validity validity, long atNanos) {
        TimelineBar bar = validities.remove(validity);
        if (bar != null) {
            add(validityLane(validity), bar.toNanos() <= atNanos ? bar : bar.until(atNanos));
        }
    }

    // ---- machines ----

    private void started(Event.Started it) {
        TimelineBar down = downs.remove(it.machine());
        if (down != null) {
            add("m" + it.machine(), down.until(it.atNanos()));
        }
    }

    private void stopped(Event.Stopped it) {
        String label = it.crashed() ? "crashed" : "closed";
        downs.put(it.machine(), TimelineBar.from(it.atNanos(), "down", label, RecordText.of(it)));
        for (Validity validity : List.copyOf(validities.keySet())) {
            if (validity.machine() == it.machine() && validity.incarnation() == it.incarnation()) {
                endValidity(validity, it.atNanos());
            }
        }
        String lane = "m" + it.machine() + " calls";
        for (Integer call : it.crashed() ? List.copyOf(calls.keySet()) : List.<Integer>of()) {
            if (lane.equals(laneOfCall.get(call))) {
                add(lane, Objects.requireNonNull(calls.remove(call)).until(it.atNanos()));
            }
        }
    }

    private void fault(Event.Fault it) {
        boolean lasts = it.untilNanos() > it.atNanos();
        String words = it.fault().toLowerCase(Locale.ROOT).replace('_', ' ');
        String label = lasts ? words + ' ' + TimeText.brief(it.untilNanos() - it.atNanos()) : words;
        TimelineBar bar = TimelineBar.from(it.atNanos(), Faults.isSleep(it.fault()) ? "asleep" : "fault", label, words)
                .until(it.untilNanos());
        add(it.machine() < 0 ? DATABASE : "m" + it.machine(), lasts ? bar : bar.with("mark", "", ""));
    }

    private void mark(Event it) {
        String text = RecordText.of((Record) it);
        add("m" + it.machine(), TimelineBar.at(it.atNanos(), "mark", text.replaceFirst(":.*", ""), text));
    }

    private void message(Event.Message it) {
        switch (it.leg()) {
            case REQUEST_LOST, REPLY_LOST, GIVEN_UP ->
                add(
                        "m" + it.machine(),
                        TimelineBar.at(it.atNanos(), "mark", RecordText.words(it.leg()), RecordText.of(it)));
            default -> {}
        }
    }

    // ---- the database ----

    private void committed(Event.Committed it) {
        int machine = it.author().machine();
        String label = machine < 0 ? "by hand" : "m" + machine;
        commits.put(it.version(), TimelineBar.from(it.atNanos(), "commit", label, RecordText.of(it)));
        Handlers<Change> leases = new Handlers<Change>().on(Change.OfLease.class, change -> committed(it, change));
        it.changes().forEach(leases::handle);
    }

    private void committed(Event.Committed it, Change.OfLease change) {
        TreeMap<Long, TimelineBar> states = documents.computeIfAbsent(change.lease(), name -> new TreeMap<>());
        if (!states.isEmpty()) {
            add(change.lease(), states.lastEntry().getValue().until(it.atNanos()));
        }
        LeaseRow row = change.after();
        String tip = RecordText.of(it.author()) + '\n' + RecordText.of(change);
        states.put(it.version(), TimelineBar.from(it.atNanos(), style(row), label(row), tip));
        if (row != null && row.sound() && row.holder() != null && row.expiryNanos() != null) {
            long expiryNanos = stamps.trueNanos(row.writer(), row.expiryNanos());
            String words = "#" + row.token() + " expires " + TimeText.briefInstant(expiryNanos);
            add(
                    change.lease() + " expiry",
                    TimelineBar.from(it.atNanos(), "expiry", words, "on the clock of " + row.writer())
                            .until(expiryNanos));
        }
    }

    private String style(@Nullable LeaseRow row) {
        return row == null || !row.sound() || row.holder() == null ? "vacant" : colour(row.holder());
    }

    private static String label(@Nullable LeaseRow row) {
        if (row == null || !row.sound()) {
            return row == null ? "no document" : "damaged";
        }
        String holder = row.holder() == null ? "vacant" : row.holder();
        return holder + " #" + row.token() + (row.pins().isEmpty() ? "" : ", pinned");
    }

    private void endCommits(SortedMap<Long, TimelineBar> ended, long atNanos, String style) {
        ended.values().forEach(bar -> add(COMMITS, bar.until(atNanos).with(style, "", style)));
        ended.clear();
    }

    private void rolledBack(Event.RolledBack it) {
        endCommits(commits.tailMap(it.toVersion(), false), it.atNanos(), "taken-back");
        documents.forEach((lease, states) -> {
            if (states.lastKey() > it.toVersion()) {
                add(lease, states.lastEntry().getValue().until(it.atNanos()).with("taken-back", "", "taken back"));
                states.tailMap(it.toVersion(), false).clear();
                TimelineBar back = states.isEmpty()
                        ? TimelineBar.from(0, "vacant", "no document", "")
                        : states.lastEntry().getValue();
                states.put(it.toVersion(), TimelineBar.from(it.atNanos(), back.styles(), back.label(), back.tip()));
            }
        });
    }
}
