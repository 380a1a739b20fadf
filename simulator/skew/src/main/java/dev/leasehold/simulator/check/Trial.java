package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.History;
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
     * @param handedOutNanos when the last handle of that tenure had been given out there
     * @param beliefs how many spans of belief its lease had seen by then
     */
    record Loss(Event.Lost event, Life life, long handedOutNanos, int beliefs) {}

    private final History history;
    private final Findings findings;
    private final Database database = new Database(this);
    private final Lives lives;
    private final Calls calls = new Calls();
    private final List<Commit> callerCommits = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final TakingPromise taking;
    private final ClockPromise clock;
    private final RemovalPromise removals;
    private final EffortPromise effort;
    private final PinPromise pins;
    private final BackingPromise backing;
    private final LastingPromise lasting;
    private final HandlePromise handles;
    private final ClosingPromise closing;
    private final TokenPromise token;
    private final GatePromise gate;
    private final LimitPromise limits;
    private final Tally tally;
    private long healedNanos = NEVER;
    private long faultsNanos;
    private long finishedNanos = NEVER;

    Trial(History history) {
        this.history = history;
        this.findings = new Findings(history.plan().setting());
        this.lives = new Lives(history.clocks());
        this.taking = new TakingPromise(findings);
        this.clock = new ClockPromise(findings);
        this.removals = new RemovalPromise(findings, history.plan().setting());
        this.effort = new EffortPromise(this, findings);
        this.pins = new PinPromise(findings);
        this.backing = new BackingPromise(database, findings);
        this.lasting = new LastingPromise(lives, new Patience(history.plan()), findings);
        this.handles = new HandlePromise(this, findings);
        this.closing = new ClosingPromise(this, findings);
        this.token = new TokenPromise(findings);
        this.gate = new GatePromise(history.plan(), findings);
        this.limits = new LimitPromise(findings, database);
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
        OrderPromise order = new OrderPromise(findings);
        KeptFreePromise keptFree = new KeptFreePromise(findings);
        for (int i = 0; i < database.leases().size(); i++) {
            LeaseTimeline lease = database.leases().get(i);
            claims.judge(lease);
            extensions.judge(lease);
            beliefs.judge(lease);
            gate.judge(lease);
            pins.judge(lease, this);
            order.judge(lease);
            keptFree.judge(lease);
        }
        handles.judge();
        backing.judge(lives);
        new AnswerPromise(this, findings).judge();
        new FailurePromise(this, findings).judge();
        effort.judge();
        new LivenessPromise(this, findings).judge(closing);
        return new Verdict(findings.violations(), findings.overlaps(), tally.reached(findings, gate));
    }

    // ---- what the judges read ----

    History history() {
        return history;
    }

    Database database() {
        return database;
    }

    Lives lives() {
        return lives;
    }

    Calls calls() {
        return calls;
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

    /** When the faults were over; NEVER if they were not. */
    long healedNanos() {
        return healedNanos;
    }

    /** When the last fault was over that a history has while it is played: the healing, or earlier where there were none. */
    long healthyNanos() {
        return Math.min(healedNanos, faultsNanos);
    }

    /** When the history was over; NEVER if it broke off. */
    long finishedNanos() {
        return finishedNanos;
    }

    // ---- hearing ----

    /** The most frequent ones first. */
    private void hear(Event event) {
        if (event instanceof Event.Message message) {
            if (message.leg() == Event.Leg.SENT) {
                lives.sent(message);
            }
            closing.heard(message);
            effort.heard(message);
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
            gate.reached(reached);
            limits.reached(reached);
        } else if (event instanceof Event.Fault fault) {
            hear(fault);
        } else {
            hearRare(event);
        }
    }

    private void hearRare(Event event) {
        if (event instanceof Event.Started started) {
            lives.started(started);
        } else if (event instanceof Event.Stopped stopped) {
            hear(stopped);
        } else if (event instanceof Event.Resolved resolved) {
            hear(resolved);
        } else if (event instanceof Event.RolledBack rolledBack) {
            tally.rolledBack(database.rolledBack(rolledBack));
        } else if (event instanceof Event.Lost lost) {
            hear(lost);
        } else if (event instanceof Event.Revived revived) {
            handles.revived(revived, lives.of(revived.machine(), revived.incarnation()));
        } else if (event instanceof Event.Disagreed disagreed) {
            handles.disagreed(disagreed, lives.of(disagreed.machine(), disagreed.incarnation()));
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

    private void hear(Event.Stopped stopped) {
        Life life = lives.find(stopped.machine(), stopped.incarnation());
        if (life != null && life.isAliveAt(stopped.atNanos())) {
            life.stopped(stopped.atNanos());
            if (stopped.crashed()) {
                tally.crashed(life);
            }
        }
    }

    private void hear(Event.Fault fault) {
        faultsNanos = Math.max(faultsNanos, fault.untilNanos());
        tally.count(fault.fault());
        closing.befell(fault);
        effort.befell(fault);
        if (fault.machine() >= 0) {
            lives.befall(fault).forEach(tally::crashed);
        }
    }

    private void hear(Event.Called called) {
        Call call = calls.called(called, lives.of(called.machine(), called.incarnation()));
        Operation operation = called.operation();
        HeldTenure held = operation.tenure();
        String about = operation.lease() == null && held != null ? held.lease() : operation.lease();
        if (about != null) {
            hearAbout(database.lease(about), call, held);
        }
        if (operation.kind() == Operation.Kind.CLOSE_ENGINE) {
            call.life().closing(called.atNanos());
            closing.leaves(call);
        }
    }

    private void hearAbout(LeaseTimeline lease, Call call, @Nullable HeldTenure held) {
        lease.calls().add(call);
        Tenure tenure = held == null ? null : lease.tenure(held);
        if (tenure != null && call.kind() == Operation.Kind.RELEASE) {
            tenure.givenUp(call, true);
        } else if (tenure != null && call.kind() == Operation.Kind.CLOSE_HANDLE) {
            Share share = tenure.share(call.life());
            if (share.closesTheLast()) {
                closing.closes(lease, tenure, call);
            }
            if (share.mayCloseTheLast()) {
                tenure.givenUp(call, share.closesTheLast());
            }
            share.closes(call.calledNanos());
        }
    }

    private void hear(Event.Answered answered) {
        Call call = calls.answered(answered);
        tally.answered(call, answered.answer());
        closing.answered(call);
        HeldTenure held = answered.answer().tenure();
        boolean grants = call.asksForALease() || call.kind() == Operation.Kind.EXTEND;
        if (answered.answer().kind() == Answer.Kind.YES && grants && held != null) {
            Tenure tenure = database.lease(held.lease()).tenure(held);
            if (tenure != null) {
                tenure.grants().add(call);
                if (call.kind() == Operation.Kind.ACQUIRE) {
                    tenure.share(call.life()).handedOut(answered.atNanos());
                }
            }
        }
    }

    private void hear(Event.Resolved resolved) {
        calls.resolved(resolved);
        tally.resolved(resolved.answer());
    }

    private void hear(Event.Committed committed) {
        Event.Author author = committed.author();
        boolean byEngine =
                author.kind() == Event.Author.Kind.TRANSACTION || author.kind() == Event.Author.Kind.SINGLE_WRITE;
        Commit commit =
                database.committed(committed, byEngine ? lives.find(author.machine(), author.incarnation()) : null);
        limits.entries(database.entriesMax(), lives.count(), committed.atNanos());
        if (author.kind() == Event.Author.Kind.CALLER) {
            callerCommits.add(commit);
            gate.committed(commit, database);
        }
    }

    private void hear(Event.Believed believed) {
        Life life = lives.of(believed.machine(), believed.incarnation());
        Belief belief = life.belief(believed.tenure(), believed.atNanos());
        boolean isLonger = belief == null || believed.untilNanos() > belief.untilNanos();
        if (belief == null) {
            Belief begun = life.begins(believed.tenure(), believed.atNanos(), believed.untilNanos());
            database.lease(believed.tenure().lease()).beliefs().add(begun);
        } else {
            if (!isLonger) {
                lasting.shortened(belief, believed);
            }
            belief.untilNanos(believed.untilNanos());
        }
        if (isLonger) {
            // What was said before was backed, and will be.
            backing.believed(believed, life);
        }
    }

    private void hear(Event.Doubted doubted) {
        Life life = lives.of(doubted.machine(), doubted.incarnation());
        life.doubts(doubted.tenure(), doubted.atNanos());
        Tenure tenure = database.lease(doubted.tenure().lease()).tenure(doubted.tenure());
        if (tenure != null) {
            tenure.share(life).lost(doubted.atNanos());
            handles.doubted(tenure, life, doubted.atNanos());
        }
    }

    private void hear(Event.Lost lost) {
        Life life = lives.of(lost.machine(), lost.incarnation());
        LeaseTimeline lease = database.lease(lost.tenure().lease());
        Tenure tenure = lease.tenure(lost.tenure());
        long handedOutNanos = tenure == null ? 0 : tenure.share(life).handedOutNanos();
        Loss loss = new Loss(lost, life, handedOutNanos, lease.beliefs().size());
        losses.add(loss);
        if (tenure != null) {
            tenure.share(life).lost(lost.atNanos());
            tenure.share(life).tells(lost.atNanos());
            handles.lost(loss, tenure);
        }
        tally.lost();
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
        clock.leaseChanged(lease, commit, before, after);
        removals.leaseChanged(lease, commit, before, after);
        pins.leaseChanged(lease, commit, before, after, ended, begun);
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
        removals.entryChanged(writer, commit, before, after, after == null && database.keepsAny(writer.name()));
        effort.entryChanged(writer, commit, before, after);
        tally.entryChanged(commit, before, after);
    }

    @Override
    public void clockChanged(Commit commit, ClockRow before, ClockRow after) {
        clock.clockChanged(commit, before, after);
    }

    @Override
    public void sessionEnded(Tenure tenure, WriterTimeline.Version entry, Commit commit) {
        taking.sessionEnded(tenure, entry, commit);
    }
}
