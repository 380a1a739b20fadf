package dev.leasehold.simulator.campaign;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where a process writes what it does, before it does it, and what it is told: the events of a history, one a line. Instants are of the
 * monotonic clock, which the processes of one machine share on Linux and macOS. Safe for many threads.
 */
final class Journal {

    private static final int CALLS_OF_PROCESS = 1 << 20;
    private static final int INCARNATIONS = 1 << 8;
    private static final ObjectMapper JSON = json();

    private final int machine;
    private final int incarnation;
    private final PrintStream lines;
    private final AtomicInteger calls;

    /** Lines are flushed one by one: a killed process must not take its last ones along. */
    Journal(ProcessName process, PrintStream lines) {
        this.machine = process.machine();
        this.incarnation = process.incarnation();
        this.lines = lines;
        this.calls = new AtomicInteger((machine * INCARNATIONS + incarnation) * CALLS_OF_PROCESS);
    }

    private static ObjectMapper json() {
        ObjectMapper mapper = new ObjectMapper().addMixIn(Event.class, Named.class);
        for (Class<?> kind : Event.class.getPermittedSubclasses()) {
            mapper.registerSubtypes(new NamedType(kind, kind.getSimpleName()));
        }
        return mapper;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
    private interface Named {}

    /** Which process has made the call of that number. */
    static ProcessName processOf(int call) {
        int process = call / CALLS_OF_PROCESS;
        return new ProcessName(process / INCARNATIONS, process % INCARNATIONS);
    }

    /** Reads what {@link #write} wrote. */
    static Event parse(String line) {
        try {
            return JSON.readValue(line, Event.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("line '" + line + "' is no event", e);
        }
    }

    static HeldTenure held(Tenure tenure) {
        return new HeldTenure(tenure.name(), tenure.holder(), tenure.token());
    }

    void write(Event event) {
        try {
            lines.println(JSON.writeValueAsString(event));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    void started(long atNanos, long localNanos) {
        write(new Event.Started(atNanos, machine, incarnation, localNanos));
    }

    void stopped() {
        write(new Event.Stopped(System.nanoTime(), machine, incarnation, false));
    }

    /** A call is about to be made. Returns a number that no other call of the campaign has. */
    int called(Operation operation) {
        int call = calls.getAndIncrement();
        write(new Event.Called(System.nanoTime(), call, machine, incarnation, operation));
        return call;
    }

    void answered(int call, Answer answer) {
        write(new Event.Answered(System.nanoTime(), call, answer));
    }

    void resolved(int call, Answer answer) {
        write(new Event.Resolved(System.nanoTime(), call, answer));
    }

    void validUntil(long atNanos, Tenure tenure, long untilNanos) {
        write(new Event.ValidUntil(atNanos, machine, incarnation, held(tenure), untilNanos));
    }

    void validityEnded(long atNanos, Tenure tenure) {
        write(new Event.ValidityEnded(atNanos, machine, incarnation, held(tenure)));
    }

    void lost(int handle, LeaseLoss loss) {
        HeldTenure tenure = held(loss.tenure());
        write(new Event.Lost(
                System.nanoTime(),
                machine,
                incarnation,
                handle,
                tenure,
                loss.reason().name()));
    }

    /** The process did nothing for a while: it was stopped, or the machine was busy with others. */
    void slept(long fromNanos, long untilNanos) {
        write(new Event.Fault(fromNanos, machine, Faults.PAUSE, untilNanos));
    }
}
