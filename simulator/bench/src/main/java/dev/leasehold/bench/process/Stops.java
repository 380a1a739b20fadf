package dev.leasehold.bench.process;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.leasehold.bench.adapters.Access;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Stops where it hurts most: in a transaction that has written everything and committed nothing. */
final class Stops {

    private static final Duration TERM = Duration.ofMinutes(1);

    private Stops() {}

    /** Returns when an engine of this process is about to send the commit of a claim, which it never will. */
    static String inClaim(Access access, String namespace) throws InterruptedException {
        CountDownLatch atCommit = new CountDownLatch(1);
        MongoClient client = new Access(access.place(), stopAtCommit(atCommit)).newClient();
        LeaseEngine engine = access.place().newEngine(client, namespace);
        Thread claim = new Thread(() -> claim(engine), "claim");
        claim.setDaemon(true);
        claim.start();
        atCommit.await();
        return "stopped";
    }

    private static void claim(LeaseEngine engine) {
        try {
            engine.tenures().claim("never-committed", "frozen", TERM);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static CommandListener stopAtCommit(CountDownLatch atCommit) {
        return new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                if (event.getCommandName().equals("commitTransaction")) {
                    atCommit.countDown();
                    stayForEver();
                }
            }
        };
    }

    private static void stayForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when a transaction of the bare driver has written a document, which it never commits. */
    static String inTransaction(Access access, String document) {
        MongoClient client = access.newClient();
        ClientSession session = client.startSession();
        session.startTransaction();
        client.getDatabase(access.place().database())
                .getCollection("frozen")
                .updateOne(session, Filters.eq(document), Updates.inc("count", 1L), new UpdateOptions().upsert(true));
        return "stopped";
    }
}
