package dev.leasehold.bench.row;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** The entrants of a row, those that failed, and all that has to be closed after it. Used by one thread. */
public final class Lineup implements AutoCloseable {

    private final int rounds;
    private final List<Entrant> entrants = new ArrayList<>();
    private final Map<String, String> failures = new LinkedHashMap<>();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    /** A lineup without entrants so far, for so many rounds. */
    Lineup(int rounds) {
        this.rounds = rounds;
    }

    /** {@return how many samples will be asked of each entrant} */
    int rounds() {
        return rounds;
    }

    /** Adds an entrant, or remembers why it could not be made. */
    void add(String name, Callable<? extends Entrant> entrant) throws InterruptedException {
        try {
            entrants.add(entrant.call());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failures.put(name, e.toString());
        }
    }

    /** Has something closed after the row, before whatever was kept earlier. */
    <T extends AutoCloseable> T keep(T resource) {
        resources.push(resource);
        return resource;
    }

    /** {@return those that take part, as a copy} */
    List<Entrant> entrants() {
        return List.copyOf(entrants);
    }

    /** Takes one out that failed. */
    void fail(Entrant entrant, Exception failure) {
        entrants.remove(entrant);
        failures.put(entrant.name(), failure.toString());
    }

    boolean takesPart(Entrant entrant) {
        return entrants.contains(entrant);
    }

    /** {@return what happened to those that failed, by their names} */
    Map<String, String> failures() {
        return failures;
    }

    @Override
    public void close() {
        while (!resources.isEmpty()) {
            AutoCloseable resource = resources.pop();
            try {
                resource.close();
            } catch (Exception e) {
                failures.putIfAbsent("the end of " + resource.getClass().getSimpleName(), e.toString());
            }
        }
    }
}
