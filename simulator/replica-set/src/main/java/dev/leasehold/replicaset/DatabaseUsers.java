package dev.leasehold.replicaset;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;

/** Makes the users of one database, and removes them. The server keeps them elsewhere, so dropping it is not enough. */
final class DatabaseUsers {

    private static final Document MAJORITY = new Document("w", "majority");

    private final TestDatabase database;
    private final AtomicInteger made = new AtomicInteger();

    DatabaseUsers(TestDatabase database) {
        this.database = database;
    }

    DatabaseUser withRoles(List<String> roles) {
        String name = "user" + nextNumber();
        String password = Secret.random();
        run(new Document("createUser", name).append("pwd", password).append("roles", roles));
        return new DatabaseUser(database, name, password);
    }

    DatabaseUser withPrivileges(List<Privilege> privileges) {
        String role = "role" + nextNumber();
        List<Document> granted = privileges.stream()
                .map(privilege -> privilege.in(database.name()))
                .toList();
        run(new Document("createRole", role).append("privileges", granted).append("roles", List.of()));
        return withRoles(List.of(role));
    }

    void removeAll() {
        if (made.get() > 0) {
            run(new Document("dropAllUsersFromDatabase", 1));
            run(new Document("dropAllRolesFromDatabase", 1));
        }
    }

    private int nextNumber() {
        if (!database.set().hasAuthentication()) {
            throw new IllegalStateException("a user of " + database.name() + " would have all rights: the set must be"
                    + " started with authentication");
        }
        return made.incrementAndGet();
    }

    /** On a majority, so that no fail-over brings a user back or loses one. */
    private void run(Document command) {
        database.database().runCommand(command.append("writeConcern", MAJORITY));
    }
}
