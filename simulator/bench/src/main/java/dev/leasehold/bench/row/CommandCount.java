package dev.leasehold.bench.row;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Counts the documents that a client has written: a command that writes a thousand of them counts as a thousand. */
final class CommandCount implements CommandListener {

    private static final Set<String> BATCHES = Set.of("updates", "documents", "deletes");

    private final LongAdder writes = new LongAdder();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        switch (event.getCommandName()) {
            case "findAndModify" -> writes.increment();
            case "update", "insert", "delete" -> writes.add(written(event.getCommand()));
            default -> {
                // A read, a commit, or what the driver says to itself.
            }
        }
    }

    private static long written(BsonDocument command) {
        return BATCHES.stream()
                .map(command::get)
                .filter(value -> value != null && value.isArray())
                .map(BsonValue::asArray)
                .mapToLong(List::size)
                .sum();
    }

    long writes() {
        return writes.sum();
    }
}
