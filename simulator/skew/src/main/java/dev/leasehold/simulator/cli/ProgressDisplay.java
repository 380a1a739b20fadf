package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Progress;
import java.util.function.Consumer;

/** Shows how far a batch is. Used by one thread. */
interface ProgressDisplay extends Consumer<Progress>, AutoCloseable {

    static ProgressDisplay on(Terminal terminal, Goal goal) {
        return terminal.isInteractive()
                ? new ProgressLine(goal, System::nanoTime)
                : new ProgressLines(terminal.err(), goal, System::nanoTime);
    }

    @Override
    void close();
}
