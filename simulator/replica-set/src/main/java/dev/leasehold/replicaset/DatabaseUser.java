package dev.leasehold.replicaset;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.client.MongoClient;
import java.util.function.Consumer;

/**
 * A user of a {@link TestDatabase}, with the rights that it was made with and no others. It is removed together with the
 * database. Safe for use by many threads.
 */
public final class DatabaseUser {

    private final TestDatabase database;
    private final String name;
    private final String password;

    DatabaseUser(TestDatabase database, String name, String password) {
        this.database = database;
        this.name = name;
        this.password = password;
    }

    /**
     * The name by which the server knows it, in {@link TestDatabase#name()}.
     *
     * @return letters and digits
     */
    public String name() {
        return name;
    }

    /**
     * What it authenticates with, for a client's settings.
     *
     * @return name, database and password
     */
    public MongoCredential credential() {
        return MongoCredential.createCredential(name, database.name(), password.toCharArray());
    }

    /**
     * Where the database is, for a client that authenticates as this user.
     *
     * @return a MongoDB URI with its password, otherwise like {@link TestDatabase#uri()}
     */
    public String uri() {
        return DatabaseUri.of(database.set().uri(), database.name(), database.name(), name, password);
    }

    /**
     * A client that authenticates as this user.
     *
     * @return a new client, closed together with the database
     */
    public MongoClient newClient() {
        return newClient(settings -> {});
    }

    /**
     * A client that authenticates as this user, and differs from {@link #newClient()} otherwise.
     *
     * @param customiser changes the settings
     * @return a new client, closed together with the database
     */
    public MongoClient newClient(Consumer<MongoClientSettings.Builder> customiser) {
        return database.newClient(settings -> {
            settings.credential(credential());
            customiser.accept(settings);
        });
    }

    /**
     * Name and database.
     *
     * @return without the password
     */
    @Override
    public String toString() {
        return "user %s of %s".formatted(name, database.name());
    }
}
