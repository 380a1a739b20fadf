package dev.leasehold.simulator.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The events of change streams, in the order in which a majority has the writes. */
final class ChangeFeed {

    /** An event of a stream, without the document as it is by then. */
    record ChangeEvent(long point, String id, BsonDocument event) {}

    private final List<Oplog.Write> writes = new ArrayList<>();
    private final Map<BsonDocument, Selection> selections = new HashMap<>();

    void add(List<Oplog.Write> more) {
        writes.addAll(more);
    }

    /** The events that a filter lets through, the same for all streams that have it. */
    Selection selected(BsonDocument filter) {
        return selections.computeIfAbsent(filter, Selection::new);
    }

    void wake() {
        selections.values().forEach(Selection::wake);
    }

    void forgetWatchers() {
        selections.values().forEach(selection -> selection.watchers.clear());
    }

    /** The events that one filter lets through. */
    final class Selection {

        private final BsonDocument filter;
        private final List<ChangeEvent> events = new ArrayList<>();
        private final List<Runnable> watchers = new ArrayList<>();
        private int looked;

        private Selection(BsonDocument filter) {
            this.filter = filter;
        }

        /** How many there are up to now. */
        int size() {
            for (; looked < writes.size(); looked++) {
                Oplog.Write write = writes.get(looked);
                BsonDocument event = event(write);
                if (Filter.matches(filter, event)) {
                    events.add(new ChangeEvent(write.point(), write.id(), event));
                }
            }
            return events.size();
        }

        /** How many are from before a point of the oplog. */
        int sizeBefore(long point) {
            int size = size();
            while (size > 0 && events.get(size - 1).point() >= point) {
                size--;
            }
            return size;
        }

        List<ChangeEvent> from(int position) {
            return List.copyOf(events.subList(position, size()));
        }

        /** Runs once, when there is something new, or by {@link #stopWatching}. */
        void watch(Runnable watcher) {
            watchers.add(watcher);
        }

        void stopWatching(Runnable watcher) {
            if (watchers.remove(watcher)) {
                watcher.run();
            }
        }

        private void wake() {
            int before = events.size();
            if (!watchers.isEmpty() && size() > before) {
                List<Runnable> due = List.copyOf(watchers);
                watchers.clear();
                due.forEach(Runnable::run);
            }
        }
    }

    private static BsonDocument event(Oplog.Write write) {
        BsonDocument event = new BsonDocument("documentKey", new BsonDocument("_id", new BsonString(write.id())));
        if (write.before() == null || write.after() == null) {
            return event.append("operationType", new BsonString(write.after() == null ? "delete" : "insert"));
        }
        BsonDocument updated = new BsonDocument();
        BsonArray removed = new BsonArray();
        compare("", write.before().bson(), write.after().bson(), updated, removed);
        return event.append("operationType", new BsonString("update"))
                .append(
                        "updateDescription",
                        new BsonDocument("updatedFields", updated).append("removedFields", removed));
    }

    /** Fields by their paths. An array that was changed is shown as a whole. */
    private static void compare(
            String path, BsonDocument before, BsonDocument after, BsonDocument updated, BsonArray removed) {
        for (Map.Entry<String, BsonValue> now : after.entrySet()) {
            String field = now.getKey();
            BsonValue value = now.getValue();
            BsonValue was = before.get(field);
            if (was != value) {
                if (was != null && was.isDocument() && value.isDocument()) {
                    compare(path + field + ".", was.asDocument(), value.asDocument(), updated, removed);
                } else if (!value.equals(was)) {
                    updated.put(path + field, value);
                }
            }
        }
        for (String field : before.keySet()) {
            if (!after.containsKey(field)) {
                removed.add(new BsonString(path + field));
            }
        }
    }
}
