package dev.leasehold.operator.doctor;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is open and idle, as the primary tells it.
 *
 * @param driverSession in which it runs; null for a session of an unusual kind
 * @param number its number there
 * @param idle for how long it has been idle
 * @param client which process, as far as the server knows
 * @param kill the part of a command that ends its session
 */
record OpenTransaction(@Nullable UUID driverSession, long number, Duration idle, String client, String kill) {

    static final Document MATCH = new Document("type", "idleSession")
            .append("transaction.parameters.txnNumber", new Document("$exists", true));

    static OpenTransaction of(Document operation) {
        Document lsid = operation.get("lsid", Document.class);
        Document transaction = operation.get("transaction", Document.class);
        UUID session = uuid(lsid.get("id"));
        return new OpenTransaction(
                session,
                transaction
                        .get("parameters", Document.class)
                        .get("txnNumber", Number.class)
                        .longValue(),
                Duration.ofNanos(1_000
                        * transaction.get("timeInactiveMicros", Number.class).longValue()),
                client(operation),
                kill(session, lsid.get("uid")));
    }

    private static String client(Document operation) {
        String name = operation.getString("appName");
        String address = operation.getString("client");
        return (name == null ? "a client without appName" : name) + (address == null ? "" : " at " + address);
    }

    private static String kill(@Nullable UUID session, @Nullable Object uid) {
        String user = uid instanceof Binary digest
                ? ", uid: BinData(0, \"" + Base64.getEncoder().encodeToString(digest.getData()) + "\")"
                : "";
        return "db.adminCommand({ killSessions: [{ id: UUID(\"" + session + "\")" + user + " }] })";
    }

    private static @Nullable UUID uuid(@Nullable Object id) {
        if (id instanceof UUID uuid) {
            return uuid;
        }
        if (id instanceof Binary binary && binary.getData().length == 2 * Long.BYTES) {
            ByteBuffer bytes = ByteBuffer.wrap(binary.getData());
            return new UUID(bytes.getLong(), bytes.getLong());
        }
        return null;
    }

    boolean isSameAs(OpenTransaction other) {
        return number == other.number && driverSession != null && driverSession.equals(other.driverSession);
    }
}
