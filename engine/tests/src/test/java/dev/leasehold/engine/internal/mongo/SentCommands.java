package dev.leasehold.engine.internal.mongo;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;

/** The commands that a client sent, and the answers that it got, in their order. */
final class SentCommands implements CommandListener {

    private final List<BsonDocument> commands = new CopyOnWriteArrayList<>();
    private final List<BsonDocument> answers = new CopyOnWriteArrayList<>();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        commands.add(event.getCommand().clone());
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        answers.add(event.getResponse().clone());
    }

    List<BsonDocument> all() {
        return commands;
    }

    List<String> names() {
        return commands.stream().map(BsonDocument::getFirstKey).toList();
    }

    /** The only command of that name. */
    BsonDocument the(String name) {
        List<BsonDocument> found = commands.stream()
                .filter(command -> command.getFirstKey().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " commands '" + name + "' among " + names());
        }
        return found.get(0);
    }

    List<BsonDocument> answers() {
        return answers;
    }

    void forget() {
        commands.clear();
        answers.clear();
    }
}
