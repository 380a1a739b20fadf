package dev.leasehold.mergequeue.process;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The shared resource, which records its users, and what it should not see. */
final class ResourceObserver {

    private final List<String> violations = new ArrayList<>();
    private final Set<String> done = new HashSet<>();
    private String user = "";
    private long lastToken;
    private int uses;

    /** A run was told that it has acquired the resource. */
    synchronized void enter(String run, long token) {
        if (!user.isEmpty()) {
            violations.add(run + " was told acquired while " + user + " was working");
        }
        if (token <= lastToken) {
            violations.add(run + " has token " + token + " after " + lastToken);
        }
        user = run;
        lastToken = token;
        uses++;
    }

    /** The run's work is over; from now on it says so. */
    synchronized void leave(String run, boolean success) {
        if (success && !done.add(run)) {
            violations.add(run + " did its work twice");
        }
        user = "";
    }

    /** A run was told that its work was done by another one. */
    synchronized void completed(String run) {
        if (!done.add(run)) {
            violations.add(run + " was told completed after it did its work");
        }
    }

    synchronized int uses() {
        return uses;
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }
}
