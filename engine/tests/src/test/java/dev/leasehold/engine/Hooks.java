package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Actions that run at points of one engine's way to the database, on the engine's own thread, and a record of its
 * commands. A hook that was set and never fired fails the test.
 */
final class Hooks implements CommandListener {

    enum Point {
        /** Before a find is sent. */
        BEFORE_READ,
        /** After a find was answered. */
        AFTER_READ,
        /** Before the update that begins a transaction is sent. */
        BEFORE_UPDATE,
        /** After the update that begins a transaction was answered. */
        AFTER_UPDATE,
        /** Before a commit is sent. */
        BEFORE_COMMIT,
        /** After a commit was applied, before the engine sees the answer. */
        AFTER_COMMIT,
        /** Before an update outside transactions is sent: a write of the clock document alone. */
        BEFORE_CLOCK_WRITE,
        /** After such a write was applied, before the engine sees the answer. */
        AFTER_CLOCK_WRITE,
        /** Before leases are written outside transactions. */
        BEFORE_LEASE_WRITE,
        /** After such a write was applied, before the engine sees the answer. */
        AFTER_LEASE_WRITE,
        /** Before queues alone are written outside transactions: tickets are sent, or taken out. */
        BEFORE_QUEUE_WRITE,
        /** After such a write was applied, before the engine sees the answer. */
        AFTER_QUEUE_WRITE,
        /** Before an abort is sent, of the engine or of a transaction of the application. */
        BEFORE_ABORT,
        /** After a transaction was aborted. */
        AFTER_ABORT
    }

    /** What a test does at a point. */
    interface Action {
        void run() throws Exception;
    }

    private static final Set<String> RECORDED =
            Set.of("find", "getMore", "insert", "update", "delete", "commitTransaction", "abortTransaction");

    private record Hook(Point point, Action action, boolean once) {}

    private final Map<Point, ConcurrentLinkedQueue<Hook>> hooks = new EnumMap<>(Point.class);
    private final Set<Hook> unfired = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<BsonDocument> commands = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitsForChanges = new AtomicInteger();
    private final Map<Integer, Point> afterwards = new ConcurrentHashMap<>();

    Hooks() {
        for (Point point : Point.values()) {
            hooks.put(point, new ConcurrentLinkedQueue<>());
        }
    }

    /** Runs the action when the engine gets there for the first time. */
    void once(Point point, Action action) {
        add(new Hook(point, action, true));
    }

    /** Runs the action every time that the engine gets there. */
    void always(Point point, Action action) {
        add(new Hook(point, action, false));
    }

    private void add(Hook hook) {
        unfired.add(hook);
        hooks.get(hook.point()).add(hook);
    }

    /** The commands that write or read leases, as sent, in their order. */
    List<BsonDocument> commands() {
        return new ArrayList<>(commands);
    }

    /** The commands of one kind. */
    List<BsonDocument> commands(String name) {
        return commands.stream()
                .filter(command -> command.getFirstKey().equals(name))
                .toList();
    }

    /** The updates that began a transaction, those that came to nothing too. */
    List<BsonDocument> transactions() {
        return commands("update").stream().filter(Hooks::beginsTransaction).toList();
    }

    /** The updates of the clock document outside transactions. */
    List<BsonDocument> clockWrites() {
        return commands("update").stream()
                .filter(command -> !isInTransaction(command) && !isOfLeases(command) && !isOfQueues(command))
                .toList();
    }

    /** The updates of leases outside transactions. */
    List<BsonDocument> leaseWrites() {
        return commands("update").stream()
                .filter(command -> !isInTransaction(command) && isOfLeases(command))
                .toList();
    }

    /** The updates of queues alone, outside transactions. */
    List<BsonDocument> queueWrites() {
        return commands("update").stream()
                .filter(command -> !isInTransaction(command) && isOfQueues(command))
                .toList();
    }

    /** Those of the writes: one that the driver has sent again has the same. */
    static Set<BsonValue> numbersOf(List<BsonDocument> writes) {
        return writes.stream().map(write -> write.get("txnNumber")).collect(Collectors.toSet());
    }

    /** By the last statement: those of queues come first. */
    private static boolean isOfLeases(BsonDocument update) {
        return markIn(update) == '#';
    }

    private static boolean isOfQueues(BsonDocument update) {
        return markIn(update) == '&';
    }

    private static char markIn(BsonDocument update) {
        BsonArray updates = update.getArray("updates");
        String id = updates.get(updates.size() - 1)
                .asDocument()
                .getDocument("q")
                .getString("_id")
                .getValue();
        return (char) id.chars()
                .filter(each -> each == '#' || each == '&')
                .findFirst()
                .orElse(' ');
    }

    private static boolean beginsTransaction(BsonDocument update) {
        return update.getBoolean("startTransaction", BsonBoolean.FALSE).getValue();
    }

    void forgetCommands() {
        commands.clear();
    }

    /** To be called at the end of every test. */
    void verify() {
        assertThat(failures).as("hooks that failed").isEmpty();
        assertThat(new HashSet<>(unfired)).as("hooks that never fired").isEmpty();
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        if (isByTheWatch()) {
            noteWatching(event.getCommandName());
            return;
        }
        if (!RECORDED.contains(event.getCommandName())) {
            return;
        }
        BsonDocument command = event.getCommand().clone();
        commands.add(command);
        Point before = before(event.getCommandName(), command);
        if (before != null) {
            afterwards.put(event.getRequestId(), Point.values()[before.ordinal() + 1]);
            fire(before);
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        Point after = afterwards.remove(event.getRequestId());
        if (after != null) {
            fire(after);
        }
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        afterwards.remove(event.getRequestId());
    }

    private void noteWatching(String commandName) {
        if (commandName.equals("getMore")) {
            waitsForChanges.incrementAndGet();
        }
    }

    /** How often the change stream was asked for more: what happens from the first time on is told. */
    int waitsForChanges() {
        return waitsForChanges.get();
    }

    /** That thread always reads, and decides nothing. */
    private static boolean isByTheWatch() {
        return Thread.currentThread().getName().endsWith("-watch");
    }

    private static Point before(String commandName, BsonDocument command) {
        return switch (commandName) {
            case "find" -> Point.BEFORE_READ;
            case "commitTransaction" -> Point.BEFORE_COMMIT;
            case "abortTransaction" -> Point.BEFORE_ABORT;
            case "update" -> beforeUpdate(command);
            default -> null;
        };
    }

    /** An update that goes on with a transaction is no point of its own. */
    private static Point beforeUpdate(BsonDocument update) {
        if (beginsTransaction(update)) {
            return Point.BEFORE_UPDATE;
        }
        if (isInTransaction(update)) {
            return null;
        }
        return switch (markIn(update)) {
            case '#' -> Point.BEFORE_LEASE_WRITE;
            case '&' -> Point.BEFORE_QUEUE_WRITE;
            default -> Point.BEFORE_CLOCK_WRITE;
        };
    }

    private static boolean isInTransaction(BsonDocument update) {
        return update.containsKey("autocommit");
    }

    /** The driver swallows what a listener throws, so it is kept for the end of the test. */
    private void fire(Point point) {
        for (Hook hook : hooks.get(point)) {
            if (hook.once() && !hooks.get(point).remove(hook)) {
                continue;
            }
            unfired.remove(hook);
            try {
                hook.action().run();
            } catch (Throwable e) {
                failures.add(e);
            }
        }
    }
}
