package dev.leasehold.bench.cli;

import java.time.Duration;

/** Shows how far a run is. Used by one thread. */
interface ProgressDisplay extends AutoCloseable {

    static ProgressDisplay on(Terminal terminal, Duration expected) {
        return terminal.isInteractive()
                ? new ProgressLine(expected)
                : new ProgressLines(terminal.err(), expected, System::nanoTime);
    }

    /** A row has come so far: so much of the whole run, in the time that was expected for it, is over. */
    void show(String row, Duration done);

    @Override
    void close();
}
