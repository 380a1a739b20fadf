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

/** Every client has to authenticate, the nodes among themselves too. This JVM does so as the administrator of the set. */
final class AuthenticatedAccess implements Access {

    private static final String ADMINISTRATOR = "administrator";
    private static final String USERS = "admin";
    private static final int LIMIT_MILLIS = 60_000;

    private final Path keyFile;
    private final String password;

    private AuthenticatedAccess(Path keyFile, String password) {
        this.keyFile = keyFile;
        this.password = password;
    }

    /** Writes the key by which the nodes know each other. */
    static AuthenticatedAccess withKeyIn(Path folder) throws IOException {
        // From the beginning: the server takes no key that others can read.
        Path keyFile = Files.createFile(
                folder.resolve("key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(keyFile, Secret.random(), StandardCharsets.US_ASCII);
        return new AuthenticatedAccess(keyFile, Secret.random());
    }

    @Override
    public List<String> arguments() {
        return List.of("--auth", "--keyFile", keyFile.toString());
    }

    @Override
    public NodeConnection connect(String address) {
        MongoCredential credential = MongoCredential.createCredential(ADMINISTRATOR, USERS, password.toCharArray());
        return NodeConnection.to(
                address, MongoClientSettings.builder().credential(credential).build());
    }

    @Override
    public String uri(String servers, String setName) {
        return "mongodb://%s:%s@%s/?replicaSet=%s&authSource=%s"
                .formatted(ADMINISTRATOR, password, servers, setName, USERS);
    }

    /** While a set has no users at all, its servers let a client on the same machine make the first one. */
    @Override
    public void establish(String servers, String setName) {
        try (MongoClient client = MongoClients.create(new OpenAccess().uri(servers, setName))) {
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
