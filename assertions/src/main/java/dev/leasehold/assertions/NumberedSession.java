package dev.leasehold.assertions;

import com.mongodb.client.ClientSession;
import com.mongodb.session.ServerSession;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A client session whose commands go out under the server's session and the transaction number of another client session, which may be closed
 * by now, or in use by its thread.
 *
 * <p>A proxy, since each version of the driver has methods of its own there.
 */
final class NumberedSession implements ServerSession, InvocationHandler {

    private final ClientSession session;
    private final BsonDocument identifier;
    private final long number;

    private NumberedSession(ClientSession session, BsonDocument identifier, long number) {
        this.session = session;
        this.identifier = identifier;
        this.number = number;
    }

    /**
     * For commands with a number.
     *
     * @param session of the same client, for all that is not the identity of the server's session; used by the caller alone
     * @param identifier of the server's session
     * @param number of the transaction
     */
    static ClientSession of(ClientSession session, BsonDocument identifier, long number) {
        return (ClientSession) Proxy.newProxyInstance(
                ClientSession.class.getClassLoader(),
                new Class<?>[] {ClientSession.class},
                new NumberedSession(session, identifier, number));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        return switch (method.getName()) {
            case "getServerSession" -> this;
            // No transaction, nothing causal, and no limit of time but the command's.
            case "hasActiveTransaction", "isCausallyConsistent", "notifyMessageSent" -> false;
            case "notifyOperationInitiated",
                    "close",
                    "advanceOperationTime",
                    "advanceClusterTime",
                    "setSnapshotTimestamp",
                    "setTransactionContext",
                    "clearTransactionContext",
                    "setRecoveryToken",
                    "getPinnedServerAddress",
                    "getTransactionContext",
                    "getRecoveryToken",
                    "getOperationTime",
                    "getClusterTime",
                    "getSnapshotTimestamp",
                    "getTimeoutContext",
                    "getTransactionSpan" -> null;
            case "startTransaction", "commitTransaction", "abortTransaction", "withTransaction" ->
                throw new IllegalStateException("this session has no transactions");
            default -> asTheSession(method, arguments);
        };
    }

    private @Nullable Object asTheSession(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(session, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @Override
    public BsonDocument getIdentifier() {
        return identifier;
    }

    @Override
    public long getTransactionNumber() {
        return number;
    }

    /** The driver asks for the number of each retryable write so. */
    @Override
    public long advanceTransactionNumber() {
        return number;
    }

    @Override
    public boolean isClosed() {
        return false;
    }

    @Override
    public void markDirty() {}

    @Override
    public boolean isMarkedDirty() {
        return false;
    }
}
