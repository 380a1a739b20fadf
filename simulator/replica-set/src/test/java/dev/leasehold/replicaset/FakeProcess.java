package dev.leasehold.replicaset;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A process that exists in a table only. */
record FakeProcess(long pid, String program, String[] args, CompletableFuture<ProcessHandle> end)
        implements ProcessHandle, ProcessHandle.Info {

    FakeProcess(long pid, String program, String... args) {
        this(pid, program, args, new CompletableFuture<>());
    }

    boolean isEnded() {
        return end.isDone();
    }

    @Override
    public boolean destroyForcibly() {
        return end.complete(this);
    }

    @Override
    public CompletableFuture<ProcessHandle> onExit() {
        return end;
    }

    @Override
    public boolean isAlive() {
        return !isEnded();
    }

    @Override
    public Info info() {
        return this;
    }

    @Override
    public Optional<String> command() {
        return Optional.of(program);
    }

    @Override
    public Optional<String[]> arguments() {
        return Optional.of(args).filter(those -> isAlive());
    }

    @Override
    public Optional<Instant> startInstant() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<String> commandLine() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Duration> totalCpuDuration() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<String> user() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ProcessHandle> parent() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Stream<ProcessHandle> children() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Stream<ProcessHandle> descendants() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean supportsNormalTermination() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean destroy() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(ProcessHandle other) {
        throw new UnsupportedOperationException();
    }
}
