package dev.leasehold.engine.internal.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Keeps all events. */
public final class RecordedMetrics implements EngineMetrics {

    private final List<EngineEvent> events = new ArrayList<>();
    private final List<String> gauges = new ArrayList<>();
    private int closes;
    private boolean closedLast;
    private IntSupplier tickets = () -> 0;

    /** All events so far. */
    public List<EngineEvent> events() {
        return List.copyOf(events);
    }

    /** The events of one type so far. */
    public <E extends EngineEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The operations of one kind that have ended so far. */
    public List<EngineEvent.OperationEnded> operations(String kind) {
        return events(EngineEvent.OperationEnded.class).stream()
                .filter(ended -> ended.kind().equals(kind))
                .toList();
    }

    public void clear() {
        events.clear();
    }

    /** What the gauges that were registered showed then. */
    public List<String> gauges() {
        return List.copyOf(gauges);
    }

    /** What the gauge of tickets shows now. */
    public int tickets() {
        return tickets.getAsInt();
    }

    public int closes() {
        return closes;
    }

    /** Whether nothing was recorded after it was closed. */
    public boolean isClosedLast() {
        return closedLast;
    }

    @Override
    public boolean measures() {
        return true;
    }

    @Override
    public void record(EngineEvent event) {
        closedLast = false;
        events.add(event);
    }

    @Override
    public void registerGauges(IntSupplier held, IntSupplier waiting, IntSupplier tickets) {
        this.tickets = tickets;
        gauges.add(held.getAsInt() + " held, " + waiting.getAsInt() + " waiting");
    }

    @Override
    public void close() {
        closes++;
        closedLast = true;
    }
}
