package dev.leasehold.replicaset;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Which users may use the nodes of a set that this JVM starts: all that reach them, or those that authenticate, the nodes
 * among themselves too. This JVM then does so as the administrator of the set.
 */
final class Access {

    private static final String ADMINISTRATOR = "administrator";
    private static final String USERS = "admin";
    private static final int LIMIT_MILLIS = 60_000;

    /** By which the nodes know each other; null where every client has all rights. */
    private final @Nullable Path keyFile;

    private final String password = Secret.random();

    private Access(@Nullable Path keyFile) {
        this.keyFile = keyFile;
    }

    static Access ofAll() {
        return new Access(null);
    }

    /** Writes the key by which the nodes know each other. */
    static Access withKeyIn(Path folder) throws IOException {
        // From the beginning: the server takes no key that others can read.
        Path keyFile = Files.createFile(
                folder.resolve("key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(keyFile, Secret.random(), StandardCharsets.US_ASCII);
        return new Access(keyFile);
    }

    /** What the command line of a node has for it. */
    List<String> arguments() {
        return keyFile == null ? List.of() : List.of("--auth", "--keyFile", keyFile.toString());
    }

    /** A connection to a node, with all rights. */
    NodeConnection connect(String address) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder();
        if (keyFile != null) {
            settings.credential(MongoCredential.createCredential(ADMINISTRATOR, USERS, password.toCharArray()));
        }
        return NodeConnection.to(address, settings.build());
    }

    /**
     * Where the set is, for a client with all rights.
     *
     * @param servers the addresses, with commas
     */
    String uri(String servers, String setName) {
        return keyFile == null
                ? openUri(servers, setName)
                : "mongodb://%s:%s@%s/?replicaSet=%s&authSource=%s"
                        .formatted(ADMINISTRATOR, password, servers, setName, USERS);
    }

    private static String openUri(String servers, String setName) {
        return "mongodb://%s/?replicaSet=%s".formatted(servers, setName);
    }

    /**
     * Called once, when the set was just initiated; afterwards the other methods keep what they promise. While a set has no
     * users at all, its servers let a client on the same machine make the first one.
     */
    void establish(String servers, String setName) {
        if (keyFile == null) {
            return;
        }
        try (MongoClient client = MongoClients.create(openUri(servers, setName))) {
            client.getDatabase(USERS)
                    .runCommand(new Document("createUser", ADMINISTRATOR)
                            .append("pwd", password)
                            .append("roles", List.of("root"))
                            .append("writeConcern", new Document("w", "majority").append("wtimeout", LIMIT_MILLIS)));
        } catch (MongoException e) {
            throw new ReplicaSetUnavailableException(
                    "%s cannot be given an administrator: %s".formatted(setName, e.getMessage()), e);
        }
    }
}
