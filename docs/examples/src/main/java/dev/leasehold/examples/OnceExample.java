package dev.leasehold.examples;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.OnceResult;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.OccurrenceSchedule;
import dev.leasehold.engine.RunOnceResult;
import dev.leasehold.engine.RunResult;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import org.bson.Document;

/** Work whose effect is committed once for each night. */
final class OnceExample {

    private OnceExample() {}

    static RunOnceResult<Integer> run(LeaseEngine engine, MongoCollection<Document> invoices, LocalDate night)
            throws InterruptedException {
        // example:start run
        RunOnceResult<Integer> result = engine.runOnce(
                "invoices",
                night.toString(),
                (lease, session) -> invoices.insertMany(session, dueAt(night))
                        .getInsertedIds()
                        .size());
        // example:end run
        return result;
    }

    static OnceResult ownTransaction(
            Lease lease, ClientSession session, MongoCollection<Document> invoices, LocalDate night) {
        return
        // example:start own
        lease.inTransaction(session, s -> {
            OnceResult once = lease.once(s, night.toString());
            if (once.isFirst()) {
                invoices.insertMany(s, dueAt(night));
            }
            return once;
        });
        // example:end own
    }

    static RunResult<Boolean> outside(
            LeaseEngine engine, ClientSession session, Consumer<LocalDate> exports, LocalDate night)
            throws InterruptedException {
        return
        // example:start outside
        engine.runWhileHeld("export", lease -> {
            exports.accept(night);
            return lease.inTransaction(
                    session, s -> lease.once(s, night.toString()).isFirst());
        });
        // example:end outside
    }

    static String nightAt(Instant now) {
        // example:start schedule
        OccurrenceSchedule nights =
                OccurrenceSchedule.daily(ZoneId.of("Europe/Berlin")).at(LocalTime.of(3, 0));
        String night = nights.latest(now).name();
        // example:end schedule
        return night;
    }

    private static List<Document> dueAt(LocalDate night) {
        return List.of(
                new Document("night", night.toString()).append("to", "Ada"),
                new Document("night", night.toString()).append("to", "Grace"));
    }
}
