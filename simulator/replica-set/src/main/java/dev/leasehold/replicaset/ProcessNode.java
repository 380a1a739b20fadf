package dev.leasehold.replicaset;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.Document;

/** A node that is a process on this machine. */
final class ProcessNode extends Node {

    private static final Duration PARAMETER_LIMIT = Duration.ofSeconds(60);
    private static final int SHUTDOWN_MILLIS_MAX = 500;

    private final RunFolder run;
    private final MongodCommand command;
    private final boolean alone;
    private final ReentrantLock faults = new ReentrantLock();
    private volatile MongodProcess process;
    private volatile boolean paused;

    private ProcessNode(RunFolder run, int index, MongodCommand command, boolean alone, MongodProcess process) {
        super(index, command.address(), command.access().connect(command.address()));
        this.run = run;
        this.command = command;
        this.alone = alone;
        this.process = process;
    }

    static ProcessNode start(RunFolder run, int index, MongodCommand command, boolean alone) throws IOException {
        return new ProcessNode(run, index, command, alone, MongodProcess.start(run, command));
    }

    void awaitListening() {
        process.awaitListening();
    }

    /** Otherwise a node that is asked to end goes on for 15 s, for the sake of clients that other nodes can serve. */
    void shortenShutdown() {
        Awaiting.answer(this + " to take a parameter", PARAMETER_LIMIT, this::tryToShortenShutdown);
    }

    @Override
    void revive() {
        if (!process.isAlive()) {
            restart();
        } else if (paused) {
            resume();
        }
    }

    @Override
    void close() {
        super.close();
        kill();
    }

    @Override
    public boolean isRunning() {
        return process.isAlive() && !paused;
    }

    @Override
    public void kill() {
        oneByOne(() -> {
            process.kill();
            paused = false;
        });
    }

    @Override
    public void terminate() {
        oneByOne(() -> {
            process.terminate();
            paused = false;
        });
    }

    @Override
    public void pause() {
        oneByOne(() -> {
            requireProcess();
            process.pause();
            paused = true;
        });
    }

    @Override
    public void resume() {
        oneByOne(() -> {
            requireProcess();
            process.resume();
            paused = false;
        });
    }

    @Override
    public void restart() {
        oneByOne(() -> {
            process.kill();
            paused = false;
            try {
                process = MongodProcess.start(run, command);
                awaitListening();
                shortenShutdown();
            } catch (IOException | PortTakenException e) {
                throw new ReplicaSetUnavailableException(
                        "%s cannot be restarted: %s".formatted(this, e.getMessage()), e);
            }
        });
    }

    @Override
    boolean isAlone() {
        return alone;
    }

    private Optional<Boolean> tryToShortenShutdown() {
        try {
            connection()
                    .run(new Document("setParameter", 1)
                            .append("shutdownTimeoutMillisForSignaledShutdown", SHUTDOWN_MILLIS_MAX));
            return Optional.of(true);
        } catch (MongoCommandException e) {
            // An older server knows neither the parameter nor the delay.
            return Optional.of(false);
        } catch (MongoException e) {
            // The connections of an earlier life fail once. A new node may not know the administrator yet.
            return Optional.empty();
        }
    }

    private void requireProcess() {
        if (!process.isAlive()) {
            throw new IllegalStateException(this + " has no process; it must be restarted first");
        }
    }

    private void oneByOne(Runnable fault) {
        faults.lock();
        try {
            fault.run();
        } finally {
            faults.unlock();
        }
    }
}
