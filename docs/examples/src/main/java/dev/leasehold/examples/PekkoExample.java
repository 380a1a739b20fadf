package dev.leasehold.examples;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.typesafe.config.Config;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.pekko.LeaseholdLease;
import dev.leasehold.pekko.LeaseholdSetup;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.SingletonActor;
import org.bson.Document;

/** Singletons of a Pekko cluster that run under a lease. */
final class PekkoExample {

    private PekkoExample() {}

    // example:start first-run
    static ActorSystem<String> firstRun(Config config) {
        Behavior<String> job = Behaviors.setup(context -> {
            LeaseholdLease lease = LeaseholdLease.ofSingleton(
                    context.getSystem(), context.getSelf().path(), "leasehold.pekko");
            context.getLog().info("the singleton runs here, under token {}", lease.token());
            return Behaviors.ignore();
        });
        Behavior<String> root = Behaviors.setup(context -> {
            ClusterSingleton.get(context.getSystem()).init(SingletonActor.of(job, "job"));
            return Behaviors.ignore();
        });
        return ActorSystem.create(root, "shop", config);
    }
    // example:end first-run

    static ActorSystem<Document> withClient(Config config, MongoClient client, MongoCollection<Document> invoices) {
        // example:start setup
        ActorSystemSetup setup = ActorSystemSetup.create(
                BootstrapSetup.create(config), LeaseholdSetup.of(client)); // never closed by the lease
        ActorSystem<Document> system = ActorSystem.create(root(client, invoices), "shop", setup);
        // example:end setup
        return system;
    }

    private static Behavior<Document> root(MongoClient client, MongoCollection<Document> invoices) {
        return Behaviors.setup(context -> {
            ActorRef<Document> singleton = ClusterSingleton.get(context.getSystem())
                    .init(SingletonActor.of(invoicing(client, invoices), "invoicing"));
            return Behaviors.receiveMessage(invoice -> {
                singleton.tell(invoice);
                return Behaviors.same();
            });
        });
    }

    // example:start gate
    static Behavior<Document> invoicing(MongoClient client, MongoCollection<Document> invoices) {
        return Behaviors.setup(context -> {
            LeaseAssertion assertion = LeaseholdLease.ofSingleton(
                            context.getSystem(), context.getSelf().path(), "leasehold.pekko")
                    .assertion(); // asked once: this singleton's tenure, and no later one
            return Behaviors.receiveMessage(invoice -> {
                try (ClientSession session = client.startSession()) {
                    session.withTransaction(() -> {
                        assertion.check(session); // no commit unless that tenure still stands
                        return invoices.insertOne(session, invoice);
                    });
                }
                return Behaviors.same();
            });
        });
    }
    // example:end gate
}
