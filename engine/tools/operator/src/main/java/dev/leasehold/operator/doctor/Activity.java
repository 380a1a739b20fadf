package dev.leasehold.operator.doctor;

import com.mongodb.MongoException;
import dev.leasehold.engine.ClockState;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.WriterState;
import dev.leasehold.operator.view.DisplayText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.Document;

/**
 * What goes on while it is looked at: whether the clock documents can be written, which transactions stay open, and which sessions give no
 * sign of life. It writes nothing, so that a blocked clock document is known by engines that wait for it.
 */
final class Activity {

    private static final String CLOCK = "clock-document";
    private static final String TRANSACTIONS = "open-transactions";
    private static final String SESSIONS = "sessions";
    private static final String CLOCKS = "clocks";

    /** So far apart that people are misled. */
    private static final Duration WRONG_CLOCK = Duration.ofSeconds(5);

    /** A stamp that was just seen to move may have been on its way, or have waited for a blocked clock document. */
    private static final Duration SLOWEST_HEARTBEAT = Duration.ofMinutes(1);

    private static final long PAUSE_MILLIS = 200;

    /** A transaction of an engine takes milliseconds. */
    private static final Duration LONG_IDLE = Duration.ofSeconds(1);

    private final LeaseLocation place;
    private final LeaseInspector inspector;
    private final Duration look;

    private boolean allUsers = true;
    private final Set<String> waitedFor = new LinkedHashSet<>();

    Activity(LeaseLocation place, LeaseInspector inspector, Duration look) {
        this.place = place;
        this.inspector = inspector;
        this.look = look;
    }

    List<Finding> look() throws InterruptedException {
        Map<String, Long> ticksBefore = ticks();
        List<OpenTransaction> before = openTransactions();
        List<WriterState> writers = inspector.writers();
        long beganNanos = System.nanoTime();
        do {
            noteWaitingUpdates();
            Thread.sleep(PAUSE_MILLIS);
            writers = inspector.writers();
        } while (System.nanoTime() - beganNanos < look.toNanos());
        List<OpenTransaction> stayed = openTransactions().stream()
                .filter(transaction -> before.stream().anyMatch(transaction::isSameAs))
                .filter(transaction -> transaction.idle().compareTo(LONG_IDLE) >= 0)
                .toList();
        return findings(ticksBefore, ticks(), stayed, writers);
    }

    private List<Finding> findings(
            Map<String, Long> ticksBefore,
            Map<String, Long> ticksAfter,
            List<OpenTransaction> stayed,
            List<WriterState> writers) {
        List<Finding> findings = new ArrayList<>();
        if (!allUsers) {
            findings.add(
                    Finding.notice(
                            TRANSACTIONS,
                            "only what this user does itself can be seen",
                            "look as the user of the engines, or with one that has the right inprog, as in the role clusterMonitor"));
        }
        ticksAfter.forEach((partition, ticks) -> {
            boolean moved = !ticks.equals(ticksBefore.get(partition));
            findings.add(clock(partition, moved));
        });
        Map<UUID, String> engines = enginesByDriverSession(writers);
        stayed.forEach(transaction -> findings.add(stuck(transaction, engines)));
        if (stayed.isEmpty()) {
            findings.add(Finding.ok(TRANSACTIONS, "none stays open that can be seen"));
        }
        findings.addAll(sessions(writers));
        findings.addAll(clocks(writers));
        return findings;
    }

    private Finding clock(String partition, boolean moved) {
        if (moved) {
            return Finding.ok(CLOCK, "the clock document of " + partition + " is being written");
        }
        if (waitedFor.contains(partition)) {
            return Finding.problem(
                    CLOCK,
                    "the clock document of " + partition
                            + " is blocked: an engine waits to write it, and it was not written for "
                            + DisplayText.of(look)
                            + ". No process can claim, extend or release there",
                    "end the open transaction that has written it: those below are the candidates. If there is none, look whether"
                            + " a majority of the nodes is there");
        }
        return Finding.ok(
                CLOCK,
                "the clock document of " + partition + " was not written for " + DisplayText.of(look)
                        + ", and no process was seen waiting for it");
    }

    private static Finding stuck(OpenTransaction transaction, Map<UUID, String> engines) {
        String engine = engines.get(transaction.driverSession());
        String idle = " is open, and was not worked on for " + DisplayText.of(transaction.idle());
        if (engine != null) {
            return Finding.problem(
                    TRANSACTIONS,
                    "a transaction of engine " + engine + " (" + transaction.client() + ")" + idle,
                    "other engines end it within some two seconds if they log in as the same database user. Otherwise, as"
                            + " a user with the right killAnySession: " + transaction.kill()
                            + ". It is safe at any time: nothing of it is written");
        }
        return Finding.notice(
                TRANSACTIONS,
                "a transaction of " + transaction.client() + idle
                        + ". If it asserts a lease, that lease cannot be written; if it has written a clock document, no process can"
                        + " write in that namespace",
                "the server ends it after transactionLifetimeLimitSeconds. To end it now, and undo what it did so far: "
                        + transaction.kill());
    }

    private static Map<UUID, String> enginesByDriverSession(List<WriterState> writers) {
        Map<UUID, String> engines = new HashMap<>();
        for (WriterState writer : writers) {
            if (writer instanceof WriterState.Known known && known.driverSession() != null) {
                engines.put(known.driverSession(), known.writer());
            }
        }
        return engines;
    }

    /** Nothing is decided from clocks. But all times of day that an engine has stored are its own. */
    private static List<Finding> clocks(List<WriterState> writers) {
        List<Finding> findings = new ArrayList<>();
        int compared = 0;
        for (WriterState writer : writers) {
            if (writer instanceof WriterState.Known known) {
                compared++;
                Duration behind = known.behindAtMost();
                if (behind.compareTo(WRONG_CLOCK.negated()) < 0) {
                    findings.add(
                            clock(known, "ahead of this machine's by at least " + DisplayText.of(behind.negated())));
                } else if (known.seenMoving() && behind.compareTo(WRONG_CLOCK.plus(SLOWEST_HEARTBEAT)) > 0) {
                    findings.add(clock(known, "behind this machine's, by " + DisplayText.of(behind) + " at most"));
                }
            }
        }
        return findings.isEmpty()
                ? List.of(Finding.ok(
                        CLOCKS, "no clock of " + DisplayText.count(compared, "engine") + " is seen to be wrong"))
                : findings;
    }

    private static Finding clock(WriterState.Known writer, String how) {
        return Finding.notice(
                CLOCKS,
                "the clock of engine " + writer.writer() + " is " + how
                        + ": so are the times since when its leases are held",
                "set the clock of its machine or of this one. Leases are safe: no times of day are compared");
    }

    private List<Finding> sessions(List<WriterState> writers) {
        List<Finding> findings = new ArrayList<>();
        for (WriterState writer : writers) {
            if (writer instanceof WriterState.Known known && known.session() != null && !known.seenMoving()) {
                findings.add(silent(known, known.session()));
            }
        }
        return findings;
    }

    /** A look that is shorter than the time between two heartbeats shows little. */
    private Finding silent(WriterState.Known writer, Duration session) {
        if (look.compareTo(session) < 0) {
            return Finding.ok(
                    SESSIONS,
                    "engine " + writer.writer() + " gave no sign of life within " + DisplayText.of(look)
                            + ", which is less than its session of " + DisplayText.of(session)
                            + ", and says nothing yet");
        }
        return Finding.notice(
                SESSIONS,
                "engine " + writer.writer() + " gave no sign of life within " + DisplayText.of(look)
                        + ", longer than its session of " + DisplayText.of(session)
                        + ": it is dead, stopped or cut off",
                "nothing has to be done: an engine that wants one of its leases evicts it, and so does leasehold housekeeping");
    }

    private Map<String, Long> ticks() {
        Map<String, Long> ticks = new HashMap<>();
        for (ClockState clock : inspector.clocks()) {
            ticks.put(clock.partition(), clock.ticks());
        }
        return ticks;
    }

    private List<OpenTransaction> openTransactions() {
        return operations(OpenTransaction.MATCH).stream()
                .map(OpenTransaction::of)
                .toList();
    }

    /** A write that meets another's open transaction waits in the server and tries again there. */
    private void noteWaitingUpdates() {
        Document waiting = new Document("op", "update")
                .append("ns", place.fullName())
                .append("writeConflicts", new Document("$gt", 0));
        for (Document operation : operations(waiting)) {
            Document command = operation.get("command", new Document());
            Document query = command.get("q", new Document());
            if (query.get("_id") instanceof String id) {
                waitedFor.add(id);
            }
        }
    }

    private List<Document> operations(Document match) {
        if (allUsers) {
            try {
                return place.currentOperations(true, match);
            } catch (MongoException e) {
                if (!Refusals.isForLackOfRights(e)) {
                    throw e;
                }
                allUsers = false;
            }
        }
        return place.currentOperations(false, match);
    }
}
