package dev.leasehold.bench.process;

import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Held;
import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.adapters.PairLoop;
import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.ProcessCost;
import dev.leasehold.bench.measure.Timings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;

/** What a worker can be told to do. Safe for use by many threads. */
final class Orders {

    private final Access access;
    private final Map<String, Locks> open = new ConcurrentHashMap<>();
    private final Map<String, Held> held = new ConcurrentHashMap<>();

    Orders(Access access) {
        this.access = access;
    }

    /** The first word says what; the others are its arguments. */
    String carryOut(List<String> words) throws Exception {
        return switch (words.get(0)) {
            case "open" -> open(words.get(1), Library.valueOf(words.get(2)), millis(words.get(3)));
            case "close" -> close(words.get(1));
            case "pairs" ->
                pairs(
                        new PairLoop(
                                locks(words.get(1)),
                                words.get(2),
                                Boolean.parseBoolean(words.get(3)),
                                PairLoop.Count.valueOf(words.get(4))),
                        turn(words.subList(5, 8)));
            case "pair" -> pair(words.get(1), words.get(2));
            case "acquire" -> acquire(words.get(1), words.get(2));
            case "release" -> release(words.get(1), words.get(2));
            case "stop-in-claim" -> Stops.inClaim(access, words.get(1));
            case "stop-in-transaction" -> Stops.inTransaction(access, words.get(1));
            case "view-size" -> ViewSize.measure(access, words.get(1));
            default -> throw new IllegalArgumentException("order '" + words.get(0) + "' is not known");
        };
    }

    private static Duration millis(String word) {
        return Duration.ofMillis(Long.parseLong(word));
    }

    private String open(String namespace, Library library, Duration length) throws Exception {
        open.put(namespace, library.open(access, namespace, length));
        return namespace;
    }

    private String close(String namespace) {
        Optional.ofNullable(open.remove(namespace)).ifPresent(Locks::close);
        return namespace;
    }

    private static Turn turn(List<String> words) {
        return new Turn(Long.parseLong(words.get(0)), Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
    }

    private static String pairs(PairLoop loop, Turn turn) throws Exception {
        FutureTask<ProcessCost> cost = new FutureTask<>(() -> CostMeter.during(turn));
        new Thread(cost, "cost").start();
        Timings timings = loop.run(1, turn);
        return TimingsCodec.encode(timings.at(cost.get()));
    }

    /** Answers how long it took to acquire it and to release it. */
    private String pair(String namespace, String name) throws Exception {
        Locks locks = locks(namespace);
        long beforeNanos = System.nanoTime();
        locks.acquireForAnyThread(name).release();
        return String.valueOf(System.nanoTime() - beforeNanos);
    }

    /** Answers when it was acquired. */
    private String acquire(String namespace, String name) throws Exception {
        Held acquired = locks(namespace).acquireForAnyThread(name);
        long nowNanos = System.nanoTime();
        held.put(namespace + "/" + name, acquired);
        return String.valueOf(nowNanos);
    }

    /** Answers when it began to release it. */
    private String release(String namespace, String name) throws Exception {
        Held former = Optional.ofNullable(held.remove(namespace + "/" + name))
                .orElseThrow(
                        () -> new IllegalArgumentException("'" + name + "' of '" + namespace + "' is not held here"));
        long nowNanos = System.nanoTime();
        former.release();
        return String.valueOf(nowNanos);
    }

    private Locks locks(String namespace) {
        return Optional.ofNullable(open.get(namespace))
                .orElseThrow(() -> new IllegalArgumentException("'" + namespace + "' is not open here"));
    }

    void close() {
        open.values().forEach(Locks::close);
    }
}
