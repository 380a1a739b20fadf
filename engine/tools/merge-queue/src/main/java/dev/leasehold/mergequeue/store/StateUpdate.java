package dev.leasehold.mergequeue.store;

import dev.leasehold.mergequeue.queue.QueueState;
import java.util.Map;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The update that makes one state of another. It carries only what has changed: a batch of polls of a thousand waiters would otherwise
 * write them all each time.
 */
final class StateUpdate {

    private final BsonDocument set = new BsonDocument();
    private final BsonDocument unset = new BsonDocument();

    private StateUpdate() {}

    static BsonDocument of(QueueState before, QueueState after, long version) {
        StateUpdate update = new StateUpdate();
        update.set.putAll(StateCodec.scalars(after));
        update.set.append(ProviderStore.VERSION, new BsonInt64(version));
        update.holder(before, after);
        update.entries(StateCodec.WAITING, before.waiting(), after.waiting(), StateCodec::pending);
        update.entries(StateCodec.ENDED, before.ended(), after.ended(), StateCodec::ended);
        if (!before.history().equals(after.history())) {
            update.set.append(StateCodec.HISTORY, StateCodec.history(after.history()));
        }
        return update.document();
    }

    private void holder(QueueState before, QueueState after) {
        if (!before.hold().equals(after.hold())) {
            after.hold()
                    .ifPresentOrElse(
                            hold -> set.append(StateCodec.HOLDER, StateCodec.hold(hold)),
                            () -> remove(StateCodec.HOLDER));
        }
    }

    private <T> void entries(String field, Map<String, T> before, Map<String, T> after, Function<T, BsonValue> encode) {
        if (before == after) {
            return;
        }
        after.forEach((key, value) -> {
            if (!value.equals(before.get(key))) {
                set.append(field + "." + key, encode.apply(value));
            }
        });
        before.keySet().stream().filter(key -> !after.containsKey(key)).forEach(key -> remove(field + "." + key));
    }

    private void remove(String path) {
        unset.append(path, new BsonString(""));
    }

    private BsonDocument document() {
        BsonDocument document = new BsonDocument("$set", set)
                .append("$currentDate", new BsonDocument(ProviderStore.TOUCHED, BsonBoolean.TRUE));
        return unset.isEmpty() ? document : document.append("$unset", unset);
    }
}
