package dev.leasehold.operator;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A small shop with leases, and the page that shows it, until its input ends: for the pictures of the documentation. */
final class Showcase {

    private Showcase() {}

    /** Serves the page on the port that is given, with as many more leases as are given. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (ReplicaSet set = ReplicaSet.shared();
                TestDatabase database = set.newDatabase();
                LeaseEngine billing = engine(database, "billing.shop.example:4711");
                LeaseEngine second = engine(database, "billing.shop.example:4712");
                LeaseEngine stopped = engine(database, "reports.shop.example:83")) {
            billing.tryAcquire(LeaseRequest.of("invoices").holder("billing-7").comment("run of November"))
                    .orElseThrow();
            billing.tryAcquire(LeaseRequest.of("dunning").holder("billing-7")).orElseThrow();
            billing.tryAcquire(LeaseRequest.of("exchange-rates")
                            .holder("billing-7")
                            .term(Duration.ofMinutes(2)))
                    .orElseThrow();
            second.tryAcquire(LeaseRequest.of("payments").holder("billing-8")).orElseThrow();
            second.tryAcquire(LeaseRequest.of("newsletter").holder("billing-8"))
                    .orElseThrow()
                    .close();
            second.admin().pin("newsletter", "ops: not before Monday");
            stopped.tryAcquire(
                            LeaseRequest.of("sales-report").holder("reports-2").comment("since yesterday"))
                    .orElseThrow();
            fill(second, arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0);
            corrupt(billing, database);
            Thread page = serve(database, arguments[0]);
            // So that the page shows events.
            Thread.sleep(3_000);
            Lease once = second.tryAcquire(LeaseRequest.of("import").holder("billing-8"))
                    .orElseThrow();
            once.close();
            second.tryAcquire(LeaseRequest.of("import").holder("billing-8").comment("second try"))
                    .orElseThrow();
            billing.admin().forceExpire("dunning", "its process hangs, see ticket 4711");
            second.acquire(LeaseRequest.of("dunning").holder("billing-8").waitAtMost(Duration.ofSeconds(30)));
            while (System.in.read() >= 0) {
                // Until the pictures are taken.
            }
            page.interrupt();
            page.join();
        }
    }

    private static void fill(LeaseEngine engine, int leases) {
        CompletableFuture.allOf(IntStream.range(0, leases)
                        .mapToObj(i -> engine.acquireAsync(LeaseRequest.of(String.format(Locale.ROOT, "tenant-%04d", i))
                                .holder("import-" + i % 20)
                                .waitAtMost(Duration.ofMinutes(2))))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** A document that was changed by hand. */
    private static void corrupt(LeaseEngine engine, TestDatabase database) throws InterruptedException {
        engine.tryAcquire(LeaseRequest.of("stock-export").holder("billing-7"))
                .orElseThrow()
                .close();
        Service.documents(database).updateOne(Filters.eq("_id", "shop#stock-export"), Updates.set("token", "12"));
    }

    private static LeaseEngine engine(TestDatabase database, String instance) {
        return LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("shop")
                .instance(instance)
                .heartbeatPeriod(Duration.ofSeconds(instance.startsWith("billing") ? 1 : 14))
                .build();
    }

    private static Thread serve(TestDatabase database, String port) {
        Thread page = new Thread(() -> Main.execute(
                Tool.on(database)
                        .with("LEASEHOLD_NAMESPACE", "shop")
                        .context(new PrintWriter(System.out, true), new PrintWriter(System.err, true)),
                "serve",
                "--allow-orders",
                "--port",
                port));
        page.start();
        return page;
    }
}
