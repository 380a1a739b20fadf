package dev.leasehold.bench.process;

import com.mongodb.client.MongoClient;
import dev.leasehold.bench.adapters.Access;
import dev.leasehold.engine.LeaseEngine;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What an engine's view of its namespace takes of the heap. */
final class ViewSize {

    private static final int COLLECTIONS = 4;
    private static final long PAUSE_MILLIS = 50;

    private ViewSize() {}

    /** Answers how many leases there are, and how many bytes more are in use once an engine has seen all of them. */
    static String measure(Access access, String namespace) throws InterruptedException {
        try (MongoClient client = access.newClient();
                LeaseEngine engine = access.place().newEngine(client, namespace)) {
            engine.refresh(List.of("first"));
            long beforeBytes = usedBytes();
            int leases = engine.leases().size();
            return leases + " " + (usedBytes() - beforeBytes);
        }
    }

    /** What is still in use after the collector has had its chances. */
    private static long usedBytes() throws InterruptedException {
        for (int collection = 0; collection < COLLECTIONS; collection++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
