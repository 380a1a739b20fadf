package dev.leasehold.engine;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Updates;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * Measures, when run by hand, how long it takes from the call that gives a lease up in one process to its acquisition by who
 * waits in another, on three nodes of this machine; and beside it one bare {@code findAndModify} that waits for a majority.
 * The argument is how many times; 300 by default. It is run with the class path of the tests.
 */
final class HandOverMeasurement {

    private static final int WARM_UP = 50;
    private static final long PAUSE_MILLIS = 30;
    private static final Duration SESSION = Duration.ofMinutes(1);
    private static final List<Long> BOUNDS_MILLIS = List.of(1L, 2L, 3L, 4L, 5L, 7L, 10L, 15L, 25L, 50L, 100L);

    private final MongoCollection<Document> bare;
    private final List<Long> handOvers = new ArrayList<>();
    private final List<Long> bareWrites = new ArrayList<>();

    private HandOverMeasurement(MongoCollection<Document> bare) {
        this.bare = bare;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int times = arguments.length == 0 ? 300 : Integer.parseInt(arguments[0]);
        try (ReplicaSet set = ReplicaSet.start(3);
                TestDatabase database = set.newDatabase()) {
            HandOverMeasurement measurement = new HandOverMeasurement(
                    database.database().getCollection("bare").withWriteConcern(WriteConcern.MAJORITY));
            ChildProcess one = ChildProcess.startSession(database, database.uri(), "one", SESSION);
            ChildProcess other = ChildProcess.startSession(database, database.uri(), "other", SESSION);
            measurement.measure(one, other, times);
            one.end();
            other.end();
        }
    }

    private void measure(ChildProcess one, ChildProcess other, int times) throws InterruptedException {
        bare.insertOne(new Document("_id", 1));
        ChildProcess holder = one;
        ChildProcess waiter = other;
        holder.does("acquire name");
        for (int round = 0; round < WARM_UP + times; round++) {
            handOver(holder, waiter);
            writeBare();
            ChildProcess former = holder;
            holder = waiter;
            waiter = former;
        }
        print("handed over", handOvers.subList(WARM_UP, WARM_UP + times));
        print("bare findAndModify, majority", bareWrites.subList(WARM_UP, WARM_UP + times));
    }

    private void handOver(ChildProcess holder, ChildProcess waiter) throws InterruptedException {
        waiter.order("acquire name");
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        long closedNanos = Long.parseLong(holder.does("close name"));
        String[] got = waiter.answer().split(":");
        handOvers.add(Long.parseLong(got[2]) - closedNanos);
    }

    private void writeBare() {
        long beforeNanos = System.nanoTime();
        bare.findOneAndUpdate(Filters.eq(1), Updates.inc("n", 1L), new FindOneAndUpdateOptions());
        bareWrites.add(System.nanoTime() - beforeNanos);
    }

    private static void print(String what, List<Long> nanos) {
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        System.out.printf(
                Locale.ROOT,
                "%s: %d times, p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms%n",
                what,
                sorted.size(),
                millis(sorted, 0.5),
                millis(sorted, 0.9),
                millis(sorted, 0.99),
                millis(sorted, 1));
        long below = 0;
        for (long bound : BOUNDS_MILLIS) {
            long count = sorted.stream()
                    .filter(each -> each < TimeUnit.MILLISECONDS.toNanos(bound))
                    .count();
            System.out.printf(Locale.ROOT, "  < %3d ms %5d%n", bound, count - below);
            below = count;
        }
        System.out.printf(Locale.ROOT, "  more     %5d%n", sorted.size() - below);
    }

    private static double millis(List<Long> sorted, double share) {
        int index = (int) Math.ceil(share * sorted.size()) - 1;
        return sorted.get(index) / 1e6;
    }
}
