package dev.leasehold.simulator.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What change streams tell, in the order in which a majority has it. It never has anything that is taken back. */
final class ChangeLog {

    /** What a write has made of a document; null where there is none. */
    record Written(
            long point,
            String id,
            @Nullable Document before,
            @Nullable Document after) {}

    /** An event that a stream tells, without the document as it is by then. */
    record Told(long point, String id, BsonDocument event) {}

    private final List<Written> written = new ArrayList<>();
    private final Map<BsonDocument, Selected> selections = new HashMap<>();

    void add(List<Written> of) {
        written.addAll(of);
    }

    /** The events that a filter lets through, the same for all streams that have it. */
    Selected selected(BsonDocument filter) {
        return selections.computeIfAbsent(filter, Selected::new);
    }

    void wake() {
        selections.values().forEach(Selected::wake);
    }

    void forgetWatchers() {
        selections.values().forEach(selected -> selected.watchers.clear());
    }

    /** The events that one filter lets through. */
    final class Selected {

        private final BsonDocument filter;
        private final List<Told> told = new ArrayList<>();
        private final List<Runnable> watchers = new ArrayList<>();
        private int looked;

        private Selected(BsonDocument filter) {
            this.filter = filter;
        }

        /** How many there are up to now. */
        int size() {
            for (; looked < written.size(); looked++) {
                Written write = written.get(looked);
                BsonDocument event = event(write);
                if (Filter.matches(filter, event)) {
                    told.add(new Told(write.point(), write.id(), event));
                }
            }
            return told.size();
        }

        /** How many are from before a point of the log. */
        int sizeBefore(long point) {
            int size = size();
            while (size > 0 && told.get(size - 1).point() >= point) {
                size--;
            }
            return size;
        }

        List<Told> from(int position) {
            return List.copyOf(told.subList(position, size()));
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
            int before = told.size();
            if (!watchers.isEmpty() && size() > before) {
                List<Runnable> due = List.copyOf(watchers);
                watchers.clear();
                due.forEach(Runnable::run);
            }
        }
    }

    private static BsonDocument event(Written write) {
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

    /** Fields by their paths. An array that was changed is told as a whole. */
    private static void compare(
            String path, BsonDocument before, BsonDocument after, BsonDocument updated, BsonArray removed) {
        for (Map.Entry<String, BsonValue> each : after.entrySet()) {
            String field = each.getKey();
            BsonValue value = each.getValue();
            BsonValue was = before.get(field);
            if (was == value) {
                continue;
            }
            if (was != null && was.isDocument() && value.isDocument()) {
                compare(path + field + ".", was.asDocument(), value.asDocument(), updated, removed);
            } else if (!value.equals(was)) {
                updated.put(path + field, value);
            }
        }
        for (String field : before.keySet()) {
            if (!after.containsKey(field)) {
                removed.add(new BsonString(path + field));
            }
        }
    }
}
