package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.plan.History;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes spans of the events of a history. */
final class StoryTeller {

    private static final long NEVER = Long.MAX_VALUE;

    private record Engine(int machine, int incarnation) {}

    private record Believer(Engine engine, HeldTenure tenure) {}

    private final Map<Engine, Event.Started> running = new LinkedHashMap<>();
    private final Map<Integer, Event.Called> open = new LinkedHashMap<>();
    private final Map<Integer, Integer> unknown = new LinkedHashMap<>();
    private final Map<Believer, Story.Belief> believed = new LinkedHashMap<>();
    private final Map<String, List<Story.Stored>> current = new LinkedHashMap<>();
    private final List<Story.Run> runs = new ArrayList<>();
    private final List<Story.Call> calls = new ArrayList<>();
    private final List<Story.Belief> beliefs = new ArrayList<>();
    private final List<Event.Fault> faults = new ArrayList<>();
    private final List<Story.Mark> marks = new ArrayList<>();
    private final List<Story.Stored> stored = new ArrayList<>();
    private final List<Story.Commit> commits = new ArrayList<>();
    private long healedNanos = NEVER;
    private long nowNanos;

    private StoryTeller() {}

    static Story tell(History history) {
        StoryTeller teller = new StoryTeller();
        for (Event event : history.events()) {
            teller.nowNanos = event.atNanos();
            teller.follow(event);
        }
        return teller.end();
    }

    private void follow(Event event) {
        if (event instanceof Event.Called it) {
            open.put(it.call(), it);
        } else if (event instanceof Event.Answered it) {
            answered(it);
        } else if (event instanceof Event.Resolved it) {
            resolved(it);
        } else if (event instanceof Event.Believed it) {
            believed(it);
        } else if (event instanceof Event.Doubted it) {
            endBelief(new Believer(new Engine(it.machine(), it.incarnation()), it.tenure()), "given up");
        } else if (event instanceof Event.Committed it) {
            committed(it);
        } else if (event instanceof Event.Majority it) {
            majority(it.version());
        } else if (event instanceof Event.RolledBack it) {
            takenBack(it.toVersion());
        } else {
            followMachine(event);
        }
    }

    private void followMachine(Event event) {
        if (event instanceof Event.Started it) {
            running.put(new Engine(it.machine(), it.incarnation()), it);
        } else if (event instanceof Event.Stopped it) {
            stopped(new Engine(it.machine(), it.incarnation()), it.crashed());
        } else if (event instanceof Event.Fault it) {
            faults.add(it);
        } else if (event instanceof Event.Lost it) {
            marks.add(new Story.Mark(it.machine(), nowNanos, "loss reported", EventWords.event(it)));
        } else if (event instanceof Event.Revived it) {
            marks.add(new Story.Mark(it.machine(), nowNanos, "handle revived", EventWords.event(it)));
        } else if (event instanceof Event.Disagreed it) {
            marks.add(new Story.Mark(it.machine(), nowNanos, "contradiction", EventWords.event(it)));
        } else if (event instanceof Event.Broken it) {
            marks.add(new Story.Mark(it.machine(), nowNanos, "broken", EventWords.event(it)));
        } else if (event instanceof Event.Message it) {
            message(it);
        } else if (event instanceof Event.Healed) {
            healedNanos = nowNanos;
        }
    }

    private void message(Event.Message it) {
        if (it.leg() == Event.Leg.REQUEST_LOST || it.leg() == Event.Leg.REPLY_LOST || it.leg() == Event.Leg.GIVEN_UP) {
            String text = "message " + it.message() + ", " + EventWords.event(it);
            marks.add(new Story.Mark(it.machine(), nowNanos, EventWords.words(it.leg()), text));
        }
    }

    private void answered(Event.Answered it) {
        Event.Called called = open.remove(it.call());
        if (called != null) {
            if (it.answer().kind() == Answer.Kind.UNKNOWN) {
                unknown.put(it.call(), calls.size());
            }
            calls.add(call(called, it.answer(), nowNanos));
        }
    }

    private void resolved(Event.Resolved it) {
        Integer index = unknown.get(it.call());
        if (index != null) {
            Story.Call call = calls.get(index);
            calls.set(
                    index,
                    new Story.Call(
                            call.number(),
                            call.machine(),
                            call.operation(),
                            call.fromNanos(),
                            call.toNanos(),
                            call.answer(),
                            it.answer(),
                            nowNanos));
        }
    }

    private static Story.Call call(Event.Called called, @Nullable Answer answer, long toNanos) {
        return new Story.Call(
                called.call(), called.machine(), called.operation(), called.atNanos(), toNanos, answer, null, NEVER);
    }

    private void stopped(Engine engine, boolean crashed) {
        Event.Started started = running.remove(engine);
        runs.add(new Story.Run(
                engine.machine(),
                engine.incarnation(),
                started == null ? nowNanos : started.atNanos(),
                nowNanos,
                crashed));
        for (Believer believer : new ArrayList<>(believed.keySet())) {
            if (believer.engine().equals(engine)) {
                endBelief(believer, crashed ? "crashed" : "closed");
            }
        }
        for (Iterator<Event.Called> all = open.values().iterator(); crashed && all.hasNext(); ) {
            Event.Called called = all.next();
            if (called.machine() == engine.machine() && called.incarnation() == engine.incarnation()) {
                calls.add(call(called, null, NEVER));
                all.remove();
            }
        }
    }

    /** A belief that is renewed before it was over goes on. */
    private void believed(Event.Believed it) {
        Believer believer = new Believer(new Engine(it.machine(), it.incarnation()), it.tenure());
        Story.Belief before = believed.get(believer);
        boolean goesOn = before != null && before.toNanos() >= nowNanos;
        if (before != null && !goesOn) {
            beliefs.add(before);
        }
        long fromNanos = goesOn ? Objects.requireNonNull(before).fromNanos() : nowNanos;
        believed.put(believer, new Story.Belief(it.machine(), it.tenure(), fromNanos, it.untilNanos(), "by time"));
    }

    private void endBelief(Believer believer, String how) {
        Story.Belief belief = believed.remove(believer);
        if (belief != null) {
            boolean early = nowNanos < belief.toNanos();
            beliefs.add(new Story.Belief(
                    belief.machine(),
                    belief.tenure(),
                    belief.fromNanos(),
                    Math.min(nowNanos, belief.toNanos()),
                    early ? how : belief.ended()));
        }
    }

    private void committed(Event.Committed it) {
        commits.add(new Story.Commit(it.version(), it.author(), it.changes(), nowNanos, NEVER, NEVER));
        for (Change change : it.changes()) {
            if (change instanceof Change.OfLease lease) {
                endStored(lease.lease(), false);
                List<Story.Stored> states = current.computeIfAbsent(lease.lease(), name -> new ArrayList<>());
                if (states.isEmpty()) {
                    states.add(new Story.Stored(lease.lease(), lease.before(), null, -1, 0, NEVER, false));
                }
                states.add(new Story.Stored(
                        lease.lease(), lease.after(), it.author(), it.version(), nowNanos, NEVER, false));
            }
        }
    }

    /** What is stored now ends here. It is kept, because a fail-over may bring it back. */
    private void endStored(String lease, boolean takenBack) {
        List<Story.Stored> states = current.get(lease);
        if (states != null) {
            Story.Stored last = states.get(states.size() - 1);
            if (last.row() != null || last.author() != null) {
                stored.add(new Story.Stored(
                        lease, last.row(), last.author(), last.version(), last.fromNanos(), nowNanos, takenBack));
            }
        }
    }

    private void majority(long version) {
        for (int i = commits.size() - 1; i >= 0 && commits.get(i).majorityNanos() == NEVER; i--) {
            Story.Commit commit = commits.get(i);
            if (commit.version() <= version && !commit.isTakenBack()) {
                commits.set(
                        i,
                        new Story.Commit(
                                commit.version(),
                                commit.author(),
                                commit.changes(),
                                commit.atNanos(),
                                nowNanos,
                                NEVER));
            }
        }
    }

    private void takenBack(long toVersion) {
        for (int i = commits.size() - 1; i >= 0; i--) {
            Story.Commit commit = commits.get(i);
            if (commit.version() > toVersion && !commit.isTakenBack()) {
                commits.set(
                        i,
                        new Story.Commit(
                                commit.version(),
                                commit.author(),
                                commit.changes(),
                                commit.atNanos(),
                                commit.majorityNanos(),
                                nowNanos));
            }
        }
        for (Map.Entry<String, List<Story.Stored>> entry : current.entrySet()) {
            bringBack(entry.getKey(), entry.getValue(), toVersion);
        }
    }

    private void bringBack(String lease, List<Story.Stored> states, long toVersion) {
        if (states.get(states.size() - 1).version() > toVersion) {
            endStored(lease, true);
            while (states.get(states.size() - 1).version() > toVersion) {
                states.remove(states.size() - 1);
            }
            Story.Stored back = states.get(states.size() - 1);
            states.set(
                    states.size() - 1,
                    new Story.Stored(lease, back.row(), back.author(), back.version(), nowNanos, NEVER, false));
        }
    }

    private Story end() {
        for (Map.Entry<Engine, Event.Started> entry : running.entrySet()) {
            runs.add(new Story.Run(
                    entry.getKey().machine(),
                    entry.getKey().incarnation(),
                    entry.getValue().atNanos(),
                    NEVER,
                    false));
        }
        for (Event.Called called : open.values()) {
            calls.add(call(called, null, NEVER));
        }
        beliefs.addAll(believed.values());
        for (List<Story.Stored> states : current.values()) {
            Story.Stored last = states.get(states.size() - 1);
            if (last.row() != null || last.author() != null) {
                stored.add(last);
            }
        }
        return new Story(runs, calls, beliefs, faults, marks, stored, commits, healedNanos);
    }
}
