package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.LeaseChange;
import java.util.ArrayList;
import java.util.List;

/** What change streams tell, in the order in which a majority has it. It never has anything that is taken back. */
final class ChangeLog {

    private final List<ChangeEvent> all = new ArrayList<>();
    private final List<Runnable> watchers = new ArrayList<>();
    private int woken;

    int size() {
        return all.size();
    }

    /** What streams of a namespace tell from a position on. */
    List<LeaseChange> from(int position, String namespace) {
        List<LeaseChange> found = new ArrayList<>();
        for (ChangeEvent changeEvent : all.subList(position, all.size())) {
            if (changeEvent.namespace().equals(namespace)) {
                found.add(changeEvent.change());
            }
        }
        return found;
    }

    void add(List<ChangeEvent> told) {
        all.addAll(told);
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

    void wake() {
        if (all.size() > woken) {
            woken = all.size();
            List<Runnable> due = List.copyOf(watchers);
            watchers.clear();
            due.forEach(Runnable::run);
        }
    }

    void forgetWatchers() {
        watchers.clear();
    }
}
