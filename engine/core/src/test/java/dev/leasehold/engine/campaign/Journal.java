package dev.leasehold.engine.campaign;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.campaign.Entry.Asked;
import dev.leasehold.engine.campaign.Entry.Lost;
import dev.leasehold.engine.campaign.Entry.Slept;
import dev.leasehold.engine.campaign.Entry.Told;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;

/** Where a process writes what it does, before it does it, and what it is told. Safe for many threads. */
final class Journal {

    private final String process;
    private final PrintStream lines;
    private final AtomicLong calls = new AtomicLong();

    /** The lines are flushed one by one: a killed process must not take its last ones along. */
    Journal(String process, PrintStream lines) {
        this.process = process;
        this.lines = lines;
    }

    /** A name for a call that no other call of the campaign has. */
    String newCall() {
        return process + "-" + calls.incrementAndGet();
    }

    void asks(String call, Operation operation, String lease, String holder, long token, long durationNanos) {
        write(new Asked(call, operation, lease, holder, token, durationNanos, System.nanoTime()));
    }

    void told(String call, Verdict verdict, long token, String detail) {
        write(new Told(call, verdict, token, detail, System.nanoTime()));
    }

    void lost(LeaseLoss loss) {
        Tenure tenure = loss.tenure();
        write(new Lost(
                tenure.name(), tenure.holder(), tenure.token(), loss.reason().name(), System.nanoTime()));
    }

    void slept(long fromNanos, long untilNanos) {
        write(new Slept(process, fromNanos, untilNanos));
    }

    void write(Entry entry) {
        lines.println(entry.line());
    }
}
