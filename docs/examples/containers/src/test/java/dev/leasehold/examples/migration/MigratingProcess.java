package dev.leasehold.examples.migration;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaseEngine;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;

/** A process of a service that migrates its database when it starts. */
final class MigratingProcess {

    private MigratingProcess() {}

    /** With the URI of MongoDB, the name of the database with the leases, and the URL of the database that is migrated. */
    public static void main(String[] arguments) throws Exception {
        try (MongoClient client = MongoClients.create(arguments[0])) {
            migrate(client, arguments[1], arguments[2]);
        }
    }

    static void migrate(MongoClient client, String database, String url) throws Exception {
        try (LeaseEngine engine = LeaseEngine.builder(client)
                        .database(database)
                        .namespace("shop")
                        .sessionLength(Duration.ofSeconds(12))
                        .operationBudget(Duration.ofSeconds(10))
                        .build();
                Connection connection = DriverManager.getConnection(url)) {
            Migration.run(
                    engine,
                    new Liquibase(
                            "changes-with-a-pause.sql",
                            new ClassLoaderResourceAccessor(),
                            new JdbcConnection(connection)));
        }
    }
}
