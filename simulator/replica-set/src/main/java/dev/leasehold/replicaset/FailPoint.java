package dev.leasehold.replicaset;

import java.time.Duration;
import java.util.List;
import org.bson.Document;

/**
 * A place in the server that fails on demand, and how. Immutable: each method gives a changed copy. Nothing happens
 * before {@link ReplicaSet#activate}, {@link Node#activate} or {@link TestDatabase#activate}.
 *
 * <pre>{@code
 * FailPoint.failCommands("commitTransaction").closingConnection().times(2).forAppName(database.name())
 * }</pre>
 */
public final class FailPoint {

    private final String name;
    private final Object mode;
    private final Document data;

    private FailPoint(String name, Object mode, Document data) {
        this.name = name;
        this.mode = mode;
        this.data = data;
    }

    /**
     * Any fail point of the server, always on.
     *
     * @param name as the server knows it, such as {@code stopReplProducer}
     * @return it, without data
     */
    public static FailPoint named(String name) {
        return new FailPoint(name, "alwaysOn", new Document());
    }

    /**
     * Failing commands, always. Says only which: {@link #closingConnection()}, {@link #withErrorCode}, {@link
     * #withWriteConcernError} or {@link #blocking} says how.
     *
     * @param commands such as {@code update}, {@code commitTransaction}
     * @return the fail point {@code failCommand}
     */
    public static FailPoint failCommands(String... commands) {
        return named("failCommand").with("failCommands", List.of(commands));
    }

    /**
     * On for the next so many hits only.
     *
     * @param times at least 1
     * @return a changed copy
     */
    public FailPoint times(int times) {
        return new FailPoint(name, counted("times", times), data);
    }

    /**
     * Off for the next so many hits, then on.
     *
     * @param hits at least 1
     * @return a changed copy
     */
    public FailPoint skip(int hits) {
        return new FailPoint(name, counted("skip", hits), data);
    }

    /**
     * On for each hit with this probability, drawn anew by the server.
     *
     * @param probability from 0 to 1
     * @return a changed copy
     */
    public FailPoint withProbability(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability must be from 0 to 1, is " + probability);
        }
        return new FailPoint(name, new Document("activationProbability", probability), data);
    }

    /**
     * The command is not executed; the server closes the connection instead of an answer.
     *
     * @return a changed copy
     */
    public FailPoint closingConnection() {
        return with("closeConnection", true);
    }

    /**
     * The command is not executed; the answer is an error.
     *
     * @param code of the error, such as 91 (shutdown in progress)
     * @return a changed copy
     */
    public FailPoint withErrorCode(int code) {
        return with("errorCode", code);
    }

    /**
     * The labels of the error, instead of those that the server would give.
     *
     * @param labels such as {@code TransientTransactionError}; none for an error without labels
     * @return a changed copy
     */
    public FailPoint withErrorLabels(String... labels) {
        return with("errorLabels", List.of(labels));
    }

    /**
     * The command <em>is</em> executed, and its answer has a write concern error.
     *
     * @param code of the error, such as 64 (waiting for the majority took too long)
     * @return a changed copy
     */
    public FailPoint withWriteConcernError(int code) {
        Document error = new Document("code", code).append("errmsg", "fail point " + name);
        return with("writeConcernError", error);
    }

    /**
     * The command waits in the server before anything else happens to it.
     *
     * @param duration in the server's clock, in whole milliseconds; 1 ms to 36,500 days
     * @return a changed copy
     */
    public FailPoint blocking(Duration duration) {
        if (duration.compareTo(Duration.ofMillis(1)) < 0 || duration.compareTo(Duration.ofDays(36_500)) > 0) {
            throw new IllegalArgumentException("blocking must be 1 ms to 36500 days, is " + duration);
        }
        return with("blockConnection", true).with("blockTimeMS", duration.toMillis());
    }

    /**
     * Only for clients of this name; all others go on undisturbed.
     *
     * @param appName as in the client's settings; of the clients of a {@link TestDatabase}, its name
     * @return a changed copy
     */
    public FailPoint forAppName(String appName) {
        return with("appName", appName);
    }

    /**
     * Anything else that the fail point understands.
     *
     * @param field of the fail point's data
     * @param value any BSON value
     * @return a changed copy
     */
    public FailPoint with(String field, Object value) {
        Document changed = new Document(data);
        changed.put(field, value);
        return new FailPoint(name, mode, changed);
    }

    /**
     * The command that switches it on.
     *
     * @return as JSON
     */
    @Override
    public String toString() {
        return switchOn().toJson();
    }

    String name() {
        return name;
    }

    Document switchOn() {
        return new Document("configureFailPoint", name).append("mode", mode).append("data", data);
    }

    Document switchOff() {
        return new Document("configureFailPoint", name).append("mode", "off");
    }

    private static Document counted(String mode, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(mode + " must be at least 1, is " + count);
        }
        return new Document(mode, count);
    }
}
