package dev.leasehold.simulator.check;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.History;
import dev.leasehold.simulator.history.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One history on trial. Goes through its events once, builds what all judges read, and asks those at once who judge each write. The others
 * judge when all is told, since a write may be taken back and an answer may turn out untrue later.
 */
final class Trial implements DatabaseListener {

    static final long NEVER = Long.MAX_VALUE;

    /**
     * A handle told its holder that the lease is lost.
     *
     * @param event what it told
     * @param life of which engine
     */
    record Loss(Event.Lost event, Life life) {}

    private final History history;
    private final Findings findings;
    private final Database database = new Database(this);
    private final List<List<Life>> lives = new ArrayList<>();
    private final List<Instants> sends = new ArrayList<>();
    private final boolean[] clockStops;
    private final long[] wakesNanos;
    private final List<Call> callsByNumber = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<Commit> callerCommits = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final TakingPromise taking;
    private final ClockPromise clock;
    private final TokenPromise token;
    private final GatePromise gate;
    private final LimitPromise limits;
    private final Tally tally;
    private int engines;
    private long strayNanos = NEVER;
    private long healedNanos = NEVER;
    private long finishedNanos = NEVER;

    Trial(History history) {
        this.history = history;
        this.findings = new Findings(history.plan().setting());
        int machines = history.clocks().size();
        this.clockStops = new boolean[machines];
        this.wakesNanos = new long[machines];
        for (int i = 0; i < machines; i++) {
            clockStops[i] = history.clocks().get(i).stoppedNanos(0, Long.MAX_VALUE) > 0;
            lives.add(new ArrayList<>(2));
            sends.add(new Instants());
        }
        this.taking = new TakingPromise(findings);
        this.clock = new ClockPromise(findings);
        this.token = new TokenPromise(findings);
        this.gate = new GatePromise(history.plan(), findings);
        this.limits = new LimitPromise(findings);
        this.tally = new Tally(this);
    }

    Verdict verdict() {
        List<Event> events = history.events();
        for (int i = 0; i < events.size(); i++) {
            hear(events.get(i));
        }
        ClaimPromise claims = new ClaimPromise(findings);
        ExtendPromise extensions = new ExtendPromise(findings);
        BeliefPromise beliefs = new BeliefPromise(findings);
        for (int i = 0; i < database.leases().size(); i++) {
            LeaseTimeline lease = database.leases().get(i);
            claims.judge(lease);
            extensions.judge(lease);
            beliefs.judge(lease);
            gate.judge(lease, database);
        }
        new AnswerPromise(this, findings).judge();
        new LivenessPromise(this, findings).judge();
        return new Verdict(findings.violations(), findings.overlaps(), tally.reached(findings, gate));
    }

    // ---- what the judges read ----

    History history() {
        return history;
    }

    Database database() {
        return database;
    }

    /** All calls, in the order in which they began. */
    List<Call> calls() {
        return calls;
    }

    @Nullable Call call(int number) {
        return number >= 0 && number < callsByNumber.size() ? callsByNumber.get(number) : null;
    }

    /** What a caller's own transaction committed on behalf of a call; null if it did not. */
    @Nullable Commit callerCommit(int call) {
        for (int i = callerCommits.size() - 1; i >= 0; i--) {
            if (callerCommits.get(i).author().call() == call) {
                return callerCommits.get(i);
            }
        }
        return null;
    }

    List<Loss> losses() {
        return losses;
    }

    /** The engines that ran on a machine, in their order. */
    List<Life> livesOn(int machine) {
        return lives.get(machine);
    }

    /** When a machine made its first step after it was last asleep. */
    long wakeNanos(int machine) {
        return wakesNanos[machine];
    }

    /** When a service died for the last time in the middle of a transaction; NEVER if none did. */
    long strayNanos() {
        return strayNanos;
    }

    /** When the faults were over; NEVER if they were not. */
    long healedNanos() {
        return healedNanos;
    }

    /** When the history was over; NEVER if it broke off. */
    long finishedNanos() {
        return finishedNanos;
    }

    // ---- hearing ----

    /** The most frequent ones first. */
    private void hear(Event event) {
        if (event instanceof Event.Message message) {
            hear(message);
        } else if (event instanceof Event.Majority majority) {
            database.majority(majority);
        } else if (event instanceof Event.Committed committed) {
            hear(committed);
        } else if (event instanceof Event.Believed believed) {
            hear(believed);
        } else if (event instanceof Event.Doubted doubted) {
            hear(doubted);
        } else if (event instanceof Event.Called called) {
            hear(called);
        } else if (event instanceof Event.Answered answered) {
            hear(answered);
        } else if (event instanceof Event.Reached reached) {
            tally.count(reached.mark());
        } else if (event instanceof Event.Fault fault) {
            hear(fault);
        } else {
            hearRare(event);
        }
    }

    private void hearRare(Event event) {
        if (event instanceof Event.Started started) {
            hear(started);
        } else if (event instanceof Event.Stopped stopped) {
            hear(stopped);
        } else if (event instanceof Event.Resolved resolved) {
            hear(resolved);
        } else if (event instanceof Event.RolledBack rolledBack) {
            tally.rolledBack(database.rolledBack(rolledBack));
        } else if (event instanceof Event.Lost lost) {
            hear(lost);
        } else if (event instanceof Event.Healed healed) {
            healedNanos = healed.atNanos();
        } else if (event instanceof Event.Exceeded exceeded) {
            limits.exceeded(exceeded);
        } else if (event instanceof Event.Broken broken) {
            limits.broken(broken);
        } else if (event instanceof Event.Finished finished) {
            finishedNanos = finished.atNanos();
        }
    }

    private void hear(Event.Started started) {
        MachineClock clockOf = history.clocks().get(started.machine());
        lives.get(started.machine()).add(new Life(
                started, clockOf, clockStops[started.machine()], sends.get(started.machine())));
        engines++;
    }

    private void hear(Event.Stopped stopped) {
        Life life = found(stopped.machine(), stopped.incarnation());
        if (life != null) {
            stop(life, stopped.atNanos(), stopped.crashed());
        }
    }

    private void stop(Life life, long atNanos, boolean crashed) {
        if (life.isAliveAt(atNanos)) {
            cut(life, atNanos);
            life.stopped(atNanos);
            if (crashed) {
                tally.crashed(life);
            }
        }
    }

    private void hear(Event.Message message) {
        if (message.leg() == Event.Leg.SENT) {
            sends.get(message.machine()).add(message.atNanos());
        }
    }

    private void hear(Event.Fault fault) {
        tally.count(fault.fault());
        if (fault.fault().equals("STRAY")) {
            strayNanos = fault.atNanos();
        }
        if (fault.machine() >= 0) {
            befall(lives.get(fault.machine()), fault);
        }
    }

    /** An engine that is being closed may still be there beside the next one. */
    private void befall(List<Life> onMachine, Event.Fault fault) {
        boolean crash = fault.fault().equals("CRASH");
        boolean sleep = Sleeps.isOne(fault);
        if (sleep) {
            wakesNanos[fault.machine()] = Math.max(wakesNanos[fault.machine()], fault.untilNanos());
        }
        for (int i = 0; i < onMachine.size(); i++) {
            if (crash) {
                stop(onMachine.get(i), fault.atNanos(), true);
            } else if (sleep) {
                cut(onMachine.get(i), fault.atNanos());
            }
        }
    }

    private void hear(Event.Called called) {
        Call call = new Call(called, life(called.machine(), called.incarnation()));
        calls.add(call);
        while (callsByNumber.size() <= called.call()) {
            callsByNumber.add(null);
        }
        callsByNumber.set(called.call(), call);
        Operation operation = called.operation();
        HeldTenure held = operation.tenure();
        String about = operation.lease() == null && held != null ? held.lease() : operation.lease();
        if (about != null) {
            hearAbout(database.lease(about), call, held);
        }
        if (operation.kind() == Operation.Kind.CLOSE_ENGINE) {
            call.life().closing(called.atNanos());
        }
    }

    private static void hearAbout(LeaseTimeline lease, Call call, @Nullable HeldTenure held) {
        lease.calls().add(call);
        if (call.kind() == Operation.Kind.FORCE_EXPIRE) {
            lease.forcedExpiry();
        }
        if (call.kind() == Operation.Kind.RELEASE || call.kind() == Operation.Kind.CLOSE_HANDLE) {
            Tenure tenure = held == null ? null : lease.tenure(held);
            if (tenure != null) {
                tenure.givenUp().add(call);
            }
        }
    }

    private void hear(Event.Answered answered) {
        Call call = call(answered.call());
        if (call == null) {
            throw new IllegalArgumentException("an answer to a call that never was: " + answered);
        }
        call.answered(answered);
        tally.answered(call, answered.answer());
        HeldTenure held = answered.answer().tenure();
        boolean grants = call.asksForALease() || call.kind() == Operation.Kind.EXTEND;
        if (answered.answer().kind() == Answer.Kind.YES && grants && held != null) {
            Tenure tenure = database.lease(held.lease()).tenure(held);
            if (tenure != null) {
                tenure.grants().add(call);
            }
        }
    }

    private void hear(Event.Resolved resolved) {
        Call call = call(resolved.call());
        if (call == null) {
            throw new IllegalArgumentException("a resolution of a call that never was: " + resolved);
        }
        call.resolved(resolved);
        tally.resolved(resolved.answer());
    }

    private void hear(Event.Committed committed) {
        Event.Author author = committed.author();
        boolean byEngine = author.kind() == Event.Author.Kind.TRANSACTION || author.kind() == Event.Author.Kind.SINGLE_WRITE;
        Commit commit = database.committed(committed, byEngine ? found(author.machine(), author.incarnation()) : null);
        limits.entries(database.entriesMax(), engines, committed.atNanos());
        if (author.kind() == Event.Author.Kind.CALLER) {
            callerCommits.add(commit);
            gate.committed(commit, database);
        }
    }

    private void hear(Event.Believed believed) {
        Life life = life(believed.machine(), believed.incarnation());
        List<Belief> open = life.open();
        for (int i = 0; i < open.size(); i++) {
            Belief belief = open.get(i);
            if (belief.tenure().equals(believed.tenure())) {
                if (belief.untilNanos() >= believed.atNanos()) {
                    belief.untilNanos(believed.untilNanos());
                    return;
                }
                open.remove(i);
                break;
            }
        }
        Belief begun = new Belief(life, believed.tenure(), believed.atNanos(), believed.untilNanos());
        open.add(begun);
        database.lease(believed.tenure().lease()).beliefs().add(begun);
    }

    private void hear(Event.Doubted doubted) {
        Life life = life(doubted.machine(), doubted.incarnation());
        List<Belief> open = life.open();
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).tenure().equals(doubted.tenure())) {
                open.remove(i).cutAt(doubted.atNanos());
                break;
            }
        }
        lose(doubted.tenure(), life, doubted.atNanos());
    }

    private void hear(Event.Lost lost) {
        Life life = life(lost.machine(), lost.incarnation());
        losses.add(new Loss(lost, life));
        lose(lost.tenure(), life, lost.atNanos());
        tally.lost();
    }

    private void lose(HeldTenure held, Life life, long atNanos) {
        Tenure tenure = database.lease(held.lease()).tenure(held);
        if (tenure != null) {
            tenure.lostBy(life, atNanos);
        }
    }

    /** What nobody can act on is nobody's belief. Whoever wakes up is asked again. */
    private static void cut(Life life, long atNanos) {
        List<Belief> open = life.open();
        for (int i = 0; i < open.size(); i++) {
            open.get(i).cutAt(atNanos);
        }
        open.clear();
    }

    private Life life(int machine, int incarnation) {
        Life life = found(machine, incarnation);
        if (life == null) {
            throw new IllegalArgumentException("engine " + incarnation + " of machine " + machine + " was never started");
        }
        return life;
    }

    /** Null for one that is not ready yet: it may have made the clock document already. */
    private @Nullable Life found(int machine, int incarnation) {
        List<Life> onIt = lives.get(machine);
        for (int i = onIt.size() - 1; i >= 0; i--) {
            if (onIt.get(i).incarnation() == incarnation) {
                return onIt.get(i);
            }
        }
        return null;
    }

    // ---- what the database tells ----

    @Override
    public void leaseChanged(
            LeaseTimeline lease,
            Commit commit,
            @Nullable LeaseRow before,
            @Nullable LeaseRow after,
            long tokenMaxBefore,
            @Nullable Tenure ended,
            @Nullable Tenure begun) {
        token.leaseChanged(lease, commit, after, tokenMaxBefore, begun);
        if (ended != null && before != null && ended.end() == Tenure.End.TAKEN) {
            WriterTimeline writer = database.writer(before.writer());
            taking.taken(ended, before, writer == null || !writer.isPresent() ? null : writer.latest(), commit);
        }
        tally.leaseChanged(ended, begun, lease.latest());
    }

    @Override
    public void entryChanged(
            WriterTimeline writer, Commit commit, WriterTimeline.@Nullable Version before, @Nullable WriterRow after) {
        clock.entryChanged(writer, commit, before, after);
        tally.entryChanged(commit, before, after);
    }

    @Override
    public void sessionEnded(Tenure tenure, WriterTimeline.Version entry, Commit commit) {
        taking.sessionEnded(tenure, entry, commit);
    }
}
