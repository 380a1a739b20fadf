package dev.leasehold.simulator.campaign;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Event.Committed;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A write of one document, read by the written schema and not by the engine's own codecs. One that breaks the schema is an error.
 *
 * @param before null for none
 * @param after null for none
 */
record StoredWrite(@Nullable BsonDocument before, @Nullable BsonDocument after) {

    private static final String LEASE_IDS = Contender.NAMESPACE + "#";
    private static final String QUEUE_IDS = Contender.NAMESPACE + "&";

    /**
     * What was committed at once.
     *
     * @param tickets all that stood in a queue until then, by lease: an engine may claim one lease under the stamp of its ticket for another
     */
    static Committed commit(
            long atNanos,
            long version,
            boolean transaction,
            List<StoredWrite> writes,
            Map<String, Set<TicketRow>> tickets) {
        List<Change> changes = writes.stream().map(StoredWrite::change).toList();
        Author granting = writes.stream()
                .filter(write -> write.isGrant(tickets))
                .findFirst()
                .map(write -> ProcessName.find(
                        Objects.requireNonNull(write.before).getString("writer").getValue()))
                .map(process -> author(transaction, process, -1))
                .orElse(null);
        return new Committed(
                atNanos, version, granting == null ? author(transaction, writes, changes) : granting, changes);
    }

    /** Whether it names a ticket as the next holder: then it is the holder before that wrote it. */
    private boolean isGrant(Map<String, Set<TicketRow>> tickets) {
        return before != null
                && after != null
                && after.containsKey("holder")
                && !before.isNull("holder")
                && !before.get("token").equals(after.get("token"))
                && tickets.getOrDefault(after.getString("name").getValue(), Set.of()).stream()
                        .anyMatch(ticket -> after.isString("holder")
                                && ticket.writer()
                                        .equals(after.getString("writer").getValue())
                                && ticket.stampNanos()
                                        == after.getInt64("written").getValue());
    }

    /** Those that stand in it, if it is a queue. */
    List<TicketRow> tickets() {
        return change() instanceof Change.OfQueue queue ? queue.tickets() : List.of();
    }

    /** The name of the lease that it is about, if it is of a lease or a queue. */
    String lease() {
        return either().getString("name").getValue();
    }

    private BsonDocument either() {
        return after == null ? Objects.requireNonNull(before) : after;
    }

    private Change change() {
        if (either().containsKey("call")) {
            return new Change.OfCaller(
                    either().getString("lease").getValue(),
                    either().getInt32("call").getValue());
        }
        if (either().getString("_id").getValue().startsWith(QUEUE_IDS)) {
            return new Change.OfQueue(either().getString("name").getValue(), tickets(after));
        }
        return either().getString("_id").getValue().startsWith(LEASE_IDS)
                ? new Change.OfLease(either().getString("name").getValue(), lease(before), lease(after))
                : new Change.OfClock(clock(before), clock(after));
    }

    // ---- what wrote it ----

    private static Author author(boolean transaction, List<StoredWrite> writes, List<Change> changes) {
        for (StoredWrite write : writes) {
            if (write.either().containsKey("call")) {
                return caller(write.either(), changes);
            }
        }
        return changes.stream()
                .flatMap(StoredWrite::writers)
                .map(ProcessName::find)
                .filter(Objects::nonNull)
                .findFirst()
                .map(process -> author(transaction, process, call(writes)))
                .orElse(new Author(Author.Kind.HAND, -1, 0, -1, null, null));
    }

    private static Author author(boolean transaction, ProcessName process, int call) {
        return new Author(
                transaction ? Author.Kind.TRANSACTION : Author.Kind.SINGLE_WRITE,
                process.machine(),
                process.incarnation(),
                call,
                null,
                null);
    }

    private static Author caller(BsonDocument work, List<Change> changes) {
        int call = work.getInt32("call").getValue();
        HeldTenure meant = new HeldTenure(
                work.getString("lease").getValue(),
                work.getString("holder").getValue(),
                work.getInt64("token").getValue());
        boolean asserted = changes.stream().anyMatch(change -> isAssertion(change, meant));
        ProcessName process = Journal.processOf(call);
        return new Author(
                Author.Kind.CALLER, process.machine(), process.incarnation(), call, asserted ? meant : null, meant);
    }

    private static boolean isAssertion(Change change, HeldTenure tenure) {
        return change instanceof Change.OfLease of
                && of.after() != null
                && of.lease().equals(tenure.lease())
                && tenure.holder().equals(of.after().holder())
                && of.after().token() == tenure.token();
    }

    /** What may have made a change, the most likely one first: an engine writes its own name and its own time. */
    private static Stream<String> writers(Change change) {
        if (change instanceof Change.OfLease lease && lease.after() != null) {
            return Stream.of(lease.after().writer());
        } else if (change instanceof Change.OfQueue queue && !queue.tickets().isEmpty()) {
            // The last one is the newest. Of a write that takes some out it is not known.
            return Stream.of(queue.tickets().get(queue.tickets().size() - 1).writer());
        } else if (change instanceof Change.OfClock clock) {
            Map<String, WriterRow> before = clock.before().writers();
            Map<String, WriterRow> after = clock.after().writers();
            return Stream.concat(
                    after.keySet().stream().filter(name -> !after.get(name).equals(before.get(name))),
                    before.keySet().stream().filter(name -> !after.containsKey(name)));
        }
        return Stream.empty();
    }

    /** The call by which a tenure began, by its own word; -1 where none began, or another lease was written at once. */
    private static int call(List<StoredWrite> writes) {
        List<StoredWrite> leases = writes.stream()
                .filter(write -> write.either().containsKey("holder"))
                .toList();
        return leases.size() == 1 && leases.get(0).hasBegunTenure()
                ? Integer.parseInt(leases.get(0).either().getString("comment").getValue())
                : -1;
    }

    private boolean hasBegunTenure() {
        return after != null
                && after.containsKey("comment")
                && (before == null || !after.get("token").equals(before.get("token")));
    }

    // ---- the schema ----

    private static @Nullable LeaseRow lease(@Nullable BsonDocument lease) {
        if (lease == null) {
            return null;
        }
        require(lease, lease.get("type").equals(new BsonString("lease")));
        require(lease, lease.getString("namespace").getValue().equals(Contender.NAMESPACE));
        require(
                lease,
                lease.getString("_id")
                        .getValue()
                        .equals(LEASE_IDS + lease.getString("name").getValue()));
        require(lease, lease.get("since").getBsonType() == BsonType.DATE_TIME);
        long token = lease.getInt64("token").getValue();
        long writtenNanos = lease.getInt64("written").getValue();
        Long expiryNanos =
                lease.containsKey("expiry") ? lease.getInt64("expiry").getValue() : null;
        require(lease, token > 0 && (expiryNanos == null || expiryNanos > writtenNanos));
        require(lease, lease.isNull("holder") ? !lease.containsKey("comment") : lease.isString("holder"));
        return new LeaseRow(
                lease.isNull("holder") ? null : lease.getString("holder").getValue(),
                token,
                lease.getString("writer").getValue(),
                writtenNanos,
                expiryNanos,
                lease.getInt64("gates").getValue(),
                pins(lease),
                true);
    }

    private static Set<String> pins(BsonDocument lease) {
        return lease.containsKey("pins")
                ? lease.getArray("pins").stream()
                        .map(pin -> pin.asString().getValue())
                        .collect(Collectors.toCollection(TreeSet::new))
                : Set.of();
    }

    private static List<TicketRow> tickets(@Nullable BsonDocument queue) {
        if (queue == null) {
            return List.of();
        }
        require(queue, queue.get("type").equals(new BsonString("queue")));
        require(queue, queue.getString("namespace").getValue().equals(Contender.NAMESPACE));
        require(
                queue,
                queue.getString("_id")
                        .getValue()
                        .equals(QUEUE_IDS + queue.getString("name").getValue()));
        require(queue, queue.getInt64("tickets").getValue() >= 0);
        return queue.getArray("waiters", new BsonArray()).stream()
                .map(BsonValue::asDocument)
                .map(ticket -> new TicketRow(
                        ticket.getString("writer").getValue(),
                        ticket.getInt64("stamp").getValue(),
                        ticket.getString("holder").getValue(),
                        ticket.getInt32("priority").getValue()))
                .toList();
    }

    private static ClockRow clock(@Nullable BsonDocument clock) {
        SortedMap<String, WriterRow> writers = new TreeMap<>();
        if (clock == null) {
            return new ClockRow(0, 0, writers);
        }
        require(clock, clock.get("type").equals(new BsonString("clock")));
        require(clock, clock.get("schema").equals(new BsonInt32(1)));
        clock.getDocument("writers").forEach((name, entry) -> writers.put(name, entry(entry)));
        return new ClockRow(
                clock.getInt64("ticks").getValue(), clock.getInt64("tokenFloor").getValue(), writers);
    }

    private static WriterRow entry(BsonValue value) {
        BsonDocument entry = value.asDocument();
        WriterRow row =
                new WriterRow(entry.getInt64("time").getValue(), number(entry, "txn"), number(entry, "session"));
        require(entry, row.transactionNanos() == null || row.transactionNanos() <= row.timeNanos());
        require(entry, row.sessionNanos() == null || row.sessionNanos() > 0);
        require(entry, !entry.containsKey("lsid") || entry.getBinary("lsid").getType() == 4);
        Long drift = number(entry, "drift");
        require(entry, drift == null || drift >= 0 && drift < 1_000_000);
        return row;
    }

    private static @Nullable Long number(BsonDocument document, String field) {
        return document.containsKey(field) ? document.getInt64(field).getValue() : null;
    }

    private static void require(BsonDocument document, boolean isSo) {
        if (!isSo) {
            throw new IllegalStateException("a document against the schema: " + document.toJson());
        }
    }
}
