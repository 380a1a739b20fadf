package dev.leasehold.simulator.campaign;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** One fault after the other, until the time is over and each kind has happened. Returns those that happened. */
final class FaultLane implements Callable<List<Fault>> {

    private final FaultPlan plan;
    private final Faults faults;
    private final long endNanos;
    private final PrintStream log;

    FaultLane(FaultPlan plan, Faults faults, long endNanos, PrintStream log) {
        this.plan = plan;
        this.faults = faults;
        this.endNanos = endNanos;
        this.log = log;
    }

    @Override
    public List<Fault> call() throws IOException, InterruptedException {
        List<Fault> happened = new ArrayList<>();
        while (!plan.isFirstRoundDrawn() || System.nanoTime() - endNanos < 0) {
            Fault fault = plan.next();
            log.println(System.nanoTime() + " begins " + fault);
            faults.happen(fault);
            log.println(System.nanoTime() + " ends " + fault.kind());
            happened.add(fault);
            Thread.sleep(fault.calmMillis());
        }
        return happened;
    }
}
